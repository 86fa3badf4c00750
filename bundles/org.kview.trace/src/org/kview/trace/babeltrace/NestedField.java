// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.util.List;
import java.util.stream.Collectors;

import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.TmfEventField;

/** A field with fields: {@code position={x=1, y=2}}, or {@code list=[1, 2]}. */
final class NestedField extends TmfEventField {
    private final boolean named;

    /** @param named whether the fields in it are shown with their names */
    NestedField(String name, List<ITmfEventField> fields, boolean named) {
        super(name, null, fields.toArray(ITmfEventField[]::new));
        this.named = named;
    }

    @Override
    public String getFormattedValue() {
        return getFields().stream().map(field -> named ? field.toString() : field.getFormattedValue())
                .collect(Collectors.joining(", ", named ? "{" : "[", named ? "}" : "]"));
    }

    @Override
    public String toString() {
        return getName() + "=" + getFormattedValue();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && other instanceof NestedField field && field.named == named;
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
