// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FindFunctionsRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.ListMappedFilesReply;
import org.kview.wire.proto.ToAgent.BodyCase;

@Timeout(300)
class FunctionSearchTest {
    private static final int PID = 42;
    /** How many functions match in each file. */
    private static final Map<String, Integer> MATCHES = Map.of("/bin/shop", 3, "/lib/libprice.so", 5);

    private final FakeAgent fake = new FakeAgent();
    private Agent agent;

    @BeforeEach
    void connect() throws Exception {
        fake.on(BodyCase.LIST_MAPPED_FILES, _ -> FromAgent.newBuilder().setListMappedFiles(ListMappedFilesReply.newBuilder()
                .addAllPaths(List.of("/bin/shop", "/lib/libstripped.so", "/bin/shop", "/lib/libother.so", "/lib/libprice.so"))));
        fake.on(BodyCase.FIND_FUNCTIONS, request -> reply(request.getFindFunctions()));
        agent = Agent.connect(fake.start());
    }

    @AfterEach
    void disconnect() {
        agent.close();
    }

    private static FromAgent.Builder reply(FindFunctionsRequest asked) {
        if (asked.getBinary().equals("/lib/libstripped.so")) {
            return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.STRIPPED)
                    .setMessage("/lib/libstripped.so has no names of functions."));
        }
        int matches = asked.getPattern().equals("*none*") ? 0 : MATCHES.getOrDefault(asked.getBinary(), 0);
        if (matches == 0) {
            return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_SUCH_FUNCTION)
                    .setMessage("None.").addSuggestions("price_of_" + asked.getBinary().substring(5)));
        }
        FindFunctionsReply.Builder reply = FindFunctionsReply.newBuilder().setBinary(asked.getBinary()).setTotalMatches(matches);
        IntStream.range(0, Math.min(matches, asked.getLimit())).forEach(i -> reply.addFunctions(Function.newBuilder()
                .setName("price" + i).setBinary(asked.getBinary()).setFileOffset(i).setProbeable(i > 0)));
        return FromAgent.newBuilder().setFindFunctions(reply);
    }

    @Test
    void looksInAllFilesThatAProcessMapsOnceEach() throws Exception {
        Found found = FunctionSearch.inProcess(agent, PID, "price*", 1000);
        assertThat(found.functions()).extracting(function -> function.point().binary()).hasSize(8).startsWith("/bin/shop").endsWith("/lib/libprice.so");
        assertThat(found.total()).isEqualTo(8);
        assertThat(found.files()).containsExactly(new FileCount("/bin/shop", 3, 3, 2), new FileCount("/lib/libother.so", 0, 0, 0),
                new FileCount("/lib/libprice.so", 5, 5, 4));
        assertThat(found.unsearched()).containsExactly("/lib/libstripped.so has no names of functions.");
    }

    @Test
    void countsWhatItDoesNotShow() throws Exception {
        Found found = FunctionSearch.inProcess(agent, PID, "price*", 4);
        assertThat(found.functions()).hasSize(4);
        assertThat(found.total()).isEqualTo(8);
        found = FunctionSearch.inProcess(agent, PID, "price*", 3);
        assertThat(found.functions()).hasSize(3);
        assertThat(found.total()).as("of a file too many as well").isEqualTo(8);
        assertThat(found.files().getLast()).as("nothing of it was shown").isEqualTo(new FileCount("/lib/libprice.so", 5, 0, 0));
        assertThat(FunctionSearch.inFile(agent, PID, "/lib/libprice.so", "*", 2).total()).isEqualTo(5);
    }

    @Test
    void countsTheFunctionsOfEachFileAndKeepsNone() throws Exception {
        Found found = FunctionSearch.countsOf(agent, PID, 4);
        assertThat(found.functions()).isEmpty();
        assertThat(found.files()).containsExactly(new FileCount("/bin/shop", 3, 3, 2), new FileCount("/lib/libother.so", 0, 0, 0),
                new FileCount("/lib/libprice.so", 5, 4, 3));
        assertThat(found.unsearched()).containsExactly("/lib/libstripped.so has no names of functions.");
    }

    @Test
    void whereNoFileHasNamesThatIsSaid() {
        fake.refuse(BodyCase.FIND_FUNCTIONS, Error.Code.STRIPPED, "/bin/shop has no function symbols.");
        assertThatThrownBy(() -> FunctionSearch.countsOf(agent, PID, 4)).hasMessageContaining("process 42 maps has names of"
                + " functions: /bin/shop has no");
        fake.on(BodyCase.LIST_MAPPED_FILES, _ -> FromAgent.newBuilder().setListMappedFiles(
                ListMappedFilesReply.getDefaultInstance()));
        assertThatThrownBy(() -> FunctionSearch.countsOf(agent, PID, 4)).hasMessageContaining("maps no file with code");
    }

    @Test
    void whereNothingIsFoundItSaysWhatToTry() {
        assertThatThrownBy(() -> FunctionSearch.inProcess(agent, PID, "*none*", 1000)).isInstanceOfSatisfying(TargetException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_FUNCTION)).hasMessageContaining("of the 3 files")
                .hasMessageContaining("near it are price_of_shop").hasMessageNotContaining("try");
        fake.on(BodyCase.FIND_FUNCTIONS, _ -> FromAgent.newBuilder().setError(Error.newBuilder()
                .setCode(Error.Code.NO_SUCH_FUNCTION).setMessage("None.")));
        assertThatThrownBy(() -> FunctionSearch.inProcess(agent, PID, "time*", 1000)).hasMessageContaining("try '*time*'");
    }

    @Test
    void aProcessThatEndsIsNoFileWithoutNames() {
        fake.refuse(BodyCase.FIND_FUNCTIONS, Error.Code.PROCESS_ENDED, "Process 42 has ended.");
        assertThatThrownBy(() -> FunctionSearch.inProcess(agent, PID, "*", 1000)).hasMessageContaining("has ended");
    }
}
