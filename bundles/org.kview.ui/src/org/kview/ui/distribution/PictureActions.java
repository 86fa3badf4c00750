// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.IAction;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.ImageTransfer;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageLoader;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.chart.DistributionSeries;
import org.kview.model.LatencyBuckets;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.report.CsvLine;
import org.kview.session.report.ReportFile;
import org.kview.ui.KviewUi;
import org.kview.ui.session.SessionService;
import org.kview.ui.widgets.Actions;

/** Takes the distribution view's picture elsewhere: to the clipboard or a file. */
final class PictureActions {
    private final IWorkbenchPartSite site;
    private final DistributionCanvas canvas;

    PictureActions(IWorkbenchPartSite site, DistributionCanvas canvas) {
        this.site = site;
        this.canvas = canvas;
    }

    IAction copy() {
        return Actions.keyed(Actions.of("&Copy Picture",
                () -> Actions.copy(canvas.getDisplay(), canvas.image(), ImageTransfer.getInstance())), ActionFactory.COPY);
    }

    IAction copyCsv() {
        return Actions.of("Copy as CS&V", () -> Actions.copy(canvas.getDisplay(), csv(canvas.series())));
    }

    /** How many calls are in each bucket of each curve. */
    static String csv(List<DistributionSeries> curves) {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("curve", "from_ns", "below_ns", "calls")));
        for (DistributionSeries curve : curves) {
            for (int bucket = 0; bucket < curve.distribution().bucketLimit(); bucket++) {
                long calls = curve.distribution().bucket(bucket);
                long low = LatencyBuckets.lowNanos(bucket);
                if (calls > 0) {
                    csv.append(CsvLine.of(List.of(curve.label(), Long.toString(low), Long.toString(low + LatencyBuckets.widthNanos(bucket)),
                            Long.toString(calls))));
                }
            }
        }
        return csv.toString();
    }

    IAction save() {
        return Actions.of("&Save Picture As…", () -> ask().ifPresent(this::save));
    }

    private Optional<Path> ask() {
        FileDialog dialog = new FileDialog(site.getShell(), SWT.SAVE);
        dialog.setText("Save Picture");
        dialog.setFilterExtensions(new String[] {"*.png", "*.svg"});
        dialog.setFilterNames(new String[] {"PNG image", "SVG drawing"});
        SessionService.get().state().folder().map(Path::toString).ifPresent(dialog::setFilterPath);
        dialog.setFileName("latency.png");
        dialog.setOverwrite(true);
        return Optional.ofNullable(dialog.open()).map(Path::of);
    }

    /** Draws now, on the UI thread as it must be, and writes later. */
    private void save(Path file) {
        boolean svg = file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
        String text = svg ? canvas.svg() : "";
        ImageData image = svg ? null : canvas.image();
        Job.create("Save " + file.getFileName(), monitor -> {
            try {
                write(file, text, Optional.ofNullable(image));
            } catch (SessionException | org.eclipse.swt.SWTException e) {
                throw new CoreException(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines("The picture was not saved. "
                        + e.getMessage() + ". Choose another place."), e));
            }
        }).schedule();
    }

    static void write(Path file, String svg, Optional<ImageData> image) throws SessionException {
        if (image.isEmpty()) {
            ReportFile.write(file, svg);
            return;
        }
        ImageLoader loader = new ImageLoader();
        loader.data = new ImageData[] {image.get()};
        var png = new ByteArrayOutputStream();
        loader.save(png, SWT.IMAGE_PNG);
        ReportFile.write(file, png.toByteArray());
    }
}
