// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import org.duckdb.DuckDBDriver;

/** A reader of Parquet that has nothing in common with what writes it here. */
public final class DuckDb implements AutoCloseable {
    private final Connection connection;

    public DuckDb() throws SQLException {
        connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        // It must not look for anything elsewhere.
        rows("SET autoinstall_known_extensions = false");
    }

    /** What a query says: a list a row. */
    public List<List<Object>> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            List<List<Object>> rows = new ArrayList<>();
            if (statement.execute(sql)) {
                ResultSet found = statement.getResultSet();
                while (found.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                        row.add(found.getObject(i));
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }

    /** Of a query with one row and one column. */
    public Object value(String sql) throws SQLException {
        return rows(sql).getFirst().getFirst();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
