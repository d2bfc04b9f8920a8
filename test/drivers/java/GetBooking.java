import java.sql.*;

record GetBooking(int status, String body) {
    static GetBooking of(Connection connection, String publicId) throws SQLException {
        String query = "SELECT guest FROM bookings WHERE id = typeid_to_uuid(?, 'booking')";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, publicId);
            ResultSet rows = statement.executeQuery();
            if (rows.next()) return new GetBooking(200, rows.getString(1));
        } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith("22")) throw e;
        }
        return new GetBooking(404, "no such booking");
    }
}
