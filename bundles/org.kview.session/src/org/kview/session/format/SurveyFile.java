// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.kview.model.Metric;
import org.kview.model.SurveyFindings;
import org.kview.session.SessionException;
import org.kview.session.json.SurveyJson;
import org.kview.session.json.ValuesJson;

/** {@code survey.json}, which anybody may have changed. */
public final class SurveyFile {
    private static final String FILE = SessionFiles.SURVEY_JSON;

    private SurveyFile() {
    }

    /** @throws SessionException if it is no survey, or one of a newer version */
    public static SurveyFindings decode(byte[] bytes) throws SessionException {
        JsonFields root;
        try {
            root = new JsonFields(FILE, ValuesJson.MAPPER.readTree(bytes), "");
        } catch (IOException e) {
            throw new SessionException(FILE + " is damaged: it is cut off or no JSON", e);
        }
        if (!root.text("schema").equals(SurveyJson.SCHEMA)) {
            throw new SessionException(FILE + " is damaged, or was written by a newer Kview Workbench: this one reads "
                    + SurveyJson.SCHEMA);
        }
        SurveyFindings.Cost cost = new SurveyFindings.Cost(root.count("cpu_period_ns"), root.count("wait_period_ns"),
                root.count("process_cpu_ns"), root.count("cost_ns"), root.count("agent_cpu_ns"));
        List<SurveyFindings.ThreadTime> threads = new ArrayList<>();
        for (JsonFields thread : root.objects("threads")) {
            threads.add(thread.value(() -> new SurveyFindings.ThreadTime(thread.count("tid"), thread.text("name"), nanos(thread))));
        }
        return root.value(() -> new SurveyFindings(new SurveyFindings.Surveyed(root.count("pid"), root.text("command")),
                root.count("duration_ns"), root.optionalText("note").orElse(""), cost, stacks(root.object("stacks")), nanos(root),
                threads, functions(root, "functions"), functions(root, "suggested"), functions(root, "did_not_return")));
    }

    private static SurveyFindings.Stacks stacks(JsonFields s) throws SessionException {
        return new SurveyFindings.Stacks(s.count("taken"), s.count("complete"), s.count("complete_ns"), s.count("cut"),
                s.count("lost"), s.count("lost_ns"), s.count("pooled"), s.count("unfollowed_threads"));
    }

    private static List<SurveyFindings.FunctionTime> functions(JsonFields root, String name) throws SessionException {
        List<SurveyFindings.FunctionTime> functions = new ArrayList<>();
        for (JsonFields f : root.objects(name)) {
            functions.add(f.value(() -> new SurveyFindings.FunctionTime(f.optionalText("probe").orElse(""), f.text("name"),
                    f.text("symbol"), f.text("binary"), f.flag("kernel"), f.count("wall_ns"), f.count("self_ns"),
                    f.flag("always_there"), nanos(f))));
        }
        return functions;
    }

    /** Reasons that are not known here are left out: a newer version may have written them. */
    private static Map<Metric, Long> nanos(JsonFields holder) throws SessionException {
        JsonFields times = holder.object("time_ns");
        Map<Metric, Long> nanos = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.OF_CALLS) {
            if (metric != Metric.WALL && times.node().has(metric.id())) {
                nanos.put(metric, times.count(metric.id()));
            }
        }
        return nanos;
    }

    /** {@code survey.json} of a session. */
    public static byte[] encode(SurveyFindings survey) {
        var root = ValuesJson.MAPPER.createObjectNode().put("schema", SurveyJson.SCHEMA);
        SurveyJson.write(root, survey);
        return ValuesJson.print(root).getBytes(StandardCharsets.UTF_8);
    }
}
