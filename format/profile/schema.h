#ifndef YP_FORMAT_PROFILE_SCHEMA_H_
#define YP_FORMAT_PROFILE_SCHEMA_H_

#include <cstdint>
#include <string>

// The profile's schema. docs/formats.md documents it and keeps its changelog; any change of a table
// or of a column's meaning is a new version, which reads every older one and keeps its fixture.
namespace yp {

inline constexpr int64_t kSchemaVersion = 11;
inline constexpr int64_t kOldestSchemaVersion = 1;
// "Yldp": tells a profile from other SQLite files (PRAGMA application_id).
inline constexpr int64_t kApplicationId = 0x596c6470;

// The SQL that makes the tables (format/profile/tables.h) and the view of an empty profile.
std::string CreateSchema();

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SCHEMA_H_
