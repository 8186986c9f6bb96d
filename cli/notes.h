#ifndef YP_CLI_NOTES_H_
#define YP_CLI_NOTES_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/flags.h"
#include "format/json/json.h"

// What a command tells beside its data, such as "warning: the run was cut off": a person reads it
// on stderr, and a program in the field "warnings" of the JSON object that the same command prints
// (PrintJson). Commands whose --json is an array by contract have --json-object for that.
namespace yp {

// "yp: TEXT" on stderr at once; kept for the JSON, without "warning: " at its beginning. Main
// thread only.
void Note(const std::string& text);
// What was told since the last time, in its order.
std::vector<std::string> TakeNotes();

// The options --json and --json-object of a command that prints rows.
struct JsonRows {
  bool is_array = false;
  bool is_object = false;
  bool IsWanted() const { return is_array || is_object; }
};
void AddJsonRowsOptions(Flags command, JsonRows* options, const std::string& rows);
// The rows as an array; or that as the field `name` of an object with all notes.
Status PrintJsonRows(const JsonRows& options, const char* name, Json rows);

}  // namespace yp

#endif  // YP_CLI_NOTES_H_
