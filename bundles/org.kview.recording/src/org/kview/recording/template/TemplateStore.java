// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.kview.session.files.AtomicFile;

/** Templates in a folder, a file each. */
public final class TemplateStore {
    public static final String SUFFIX = ".kview-template.json";
    private static final long MAX_BYTES = 4 << 20;

    private final Path folder;

    /** @param folder made when the first template is kept */
    public TemplateStore(Path folder) {
        this.folder = folder;
    }

    /**
     * What is there.
     *
     * @param templates by name
     * @param problems  one sentence for each file that can't be used
     */
    public record Contents(List<RecordingTemplate> templates, List<String> problems) {
        public Contents {
            templates = List.copyOf(templates);
            problems = List.copyOf(problems);
        }
    }

    public Contents list() {
        List<RecordingTemplate> templates = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    templates.add(read(file));
                } catch (TemplateException e) {
                    problems.add(e.getMessage());
                }
            }
        } catch (NoSuchFileException e) {
            // Nothing was kept yet.
        } catch (IOException e) {
            problems.add("The templates in " + folder + " can't be read: " + e.getMessage() + ".");
        }
        templates.sort(Comparator.comparing(RecordingTemplate::name, String.CASE_INSENSITIVE_ORDER)
                .thenComparing(RecordingTemplate::name));
        return new Contents(templates, problems);
    }

    /** Keeps a template, in place of one of the same name. */
    public void save(RecordingTemplate template) throws TemplateException {
        write(template, file(template.name()));
    }

    public void remove(String name) throws TemplateException {
        try {
            Files.deleteIfExists(file(name));
        } catch (IOException e) {
            throw new TemplateException("The template " + name + " can't be removed: " + e.getMessage() + ".", e);
        }
    }

    public boolean contains(String name) {
        return Files.exists(file(name));
    }

    /** A template in a file of its own. */
    public static RecordingTemplate read(Path file) throws TemplateException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException("it is larger than 4 MiB");
            }
            return TemplateJson.read(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new TemplateException("The file " + file + " holds no template: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw new TemplateException("The template " + file + " can't be read: " + e.getMessage() + ".", e);
        }
    }

    /** Writes a template to a file, which may exist. */
    public static void write(RecordingTemplate template, Path file) throws TemplateException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            AtomicFile.replace(file, TemplateJson.write(template).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new TemplateException("The template " + template.name() + " can't be written to " + file + ": "
                    + e.getMessage() + ".", e);
        }
    }

    /** Any name is a file's name in this form, and no two are the same. */
    private Path file(String name) {
        return folder.resolve(URLEncoder.encode(name, StandardCharsets.UTF_8).replace("*", "%2A") + SUFFIX);
    }
}
