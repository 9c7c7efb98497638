#include "csv.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace stance {
namespace {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::string error;  // empty: none
};

Table read(const std::string& text) {
  std::istringstream in(text);
  Table table;
  auto reader = CsvReader::open(in, "t.csv");
  if (!reader) {
    table.error = reader.error().text();
    return table;
  }
  table.columns = reader->columns();
  std::vector<double> values;
  for (;;) {
    const auto more = reader->next(values);
    if (!more) table.error = more.error().text();
    if (!more || !*more) return table;
    table.rows.push_back(values);
  }
}

TEST(Csv, ReadsNamesAndNumbers) {
  const auto table = read("a,b,c\n1,-2.5,3e-4\n+4,.5,6.\n");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1, -2.5, 3e-4}, {4, 0.5, 6}}));
}

// What spreadsheets, editors and people put into a table: each of these is the same table.
TEST(Csv, TakesTablesAsTheyCome) {
  const std::vector<std::vector<double>> rows{{1, 2}, {3, 4}};
  for (const char* text : {
           "q.knee,v.knee\n1,2\n3,4",                      // no end of line at the end
           "q.knee,v.knee\r\n1,2\r\n3,4\r\n",              // DOS
           "\xEF\xBB\xBFq.knee,v.knee\n1,2\n3,4\n",        // byte-order mark
           "  q.knee ,\tv.knee \n 1 , 2\n3\t,  4  \n",     // blanks
           "\"q.knee\",\"v.knee\"\n\"1\", \"2\" \n3,4\n",  // quotes
           "# a comment\n\nq.knee,v.knee\n1,2\n  # more\n\n3,4\n\n",
       }) {
    const auto table = read(text);
    EXPECT_EQ(table.error, "") << text;
    EXPECT_EQ(table.columns, (std::vector<std::string>{"q.knee", "v.knee"})) << text;
    EXPECT_EQ(table.rows, rows) << text;
  }
}

TEST(Csv, KeepsCommasAndQuotesInsideQuotes) {
  std::vector<std::string> fields;
  ASSERT_TRUE(split_fields(R"("q.a,b" , "say ""x""",,c)", fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"q.a,b", "say \"x\"", "", "c"}));
  for (const char* name : {"q.knee", "q.a,b", "say \"x\"", " blank ", "", "#1"}) {
    ASSERT_TRUE(split_fields(csv_field(name) + ",end", fields)) << name;
    EXPECT_EQ(fields, (std::vector<std::string>{name, "end"}));
  }
}

TEST(Csv, NumbersKeepAllDigits) {
  const auto table = read(
      "a\n0.1000000000000000055\n4.9406564584124654e-324\n1.7976931348623157e308\n1e-400\n");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.rows,
            (std::vector<std::vector<double>>{{0.1},
                                              {std::numeric_limits<double>::denorm_min()},
                                              {std::numeric_limits<double>::max()},
                                              {0}}));
}

TEST(Csv, NamesAloneAreAnEmptyTable) {
  const auto table = read("a,b\n");
  EXPECT_EQ(table.error, "");
  EXPECT_TRUE(table.rows.empty());
}

TEST(Csv, ErrorsSayFileLineAndColumn) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "t.csv: is empty: the first line must name the columns"},
      {"\n# only a comment\n", "t.csv: is empty"},
      {"a,,c\n", "t.csv:1: column 2 has no name"},
      {"a,b,a\n", "t.csv:1: column 'a' is there twice"},
      {"a;b\n1;2\n", "t.csv:1: columns are separated by commas"},
      {"a\tb\n", "t.csv:1: columns are separated by commas"},
      {"a,b\r1,2\r", "t.csv:1: lines end with CR alone; save the table with LF or CR LF"},
      {"a,b\n1,2\n\n1\n", "t.csv:4: the row has 1 fields, but the first line names 2 columns"},
      {"a,b\r\n1,2,3\r\n", "t.csv:2: the row has 3 fields, but the first line names 2 columns"},
      {"a,b\n1,\n", "t.csv:2: column 'b' is empty: give a number"},
      {"a,b\n1,two\n", "t.csv:2: column 'b': 'two' is not a number"},
      {"a\n1.5x\n", "t.csv:2: column 'a': '1.5x' is not a number"},
      {"a\n0x10\n", "t.csv:2: column 'a': '0x10' is not a number"},
      {"a\n+-1\n", "t.csv:2: column 'a': '+-1' is not a number"},
      {"a\n\"1\" 2\n", "t.csv:2: a field in quotes (\") does not end with its quote"},
      {"# x\na,b\n1,nan\n", "t.csv:3: column 'b': nan is not a finite number"},
      {"a\n-inf\n", "t.csv:2: column 'a': -inf is not a finite number"},
      {"a\n1e999\n", "t.csv:2: column 'a': 1e999 is not a finite number"},
      {"a,\"b\n1,2\n", "t.csv:1: a field in quotes (\") does not end with its quote"},
      {std::string("a\n1\0\n", 5), "t.csv:2: the line holds a zero byte"},
      {std::string(3 << 20, 'x'), "t.csv:1: the line is longer than 1048576 characters"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(read(text).error.substr(0, error.size()), error) << text.substr(0, 80);
  }
}

}  // namespace
}  // namespace stance
