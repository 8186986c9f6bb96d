#include "format/page/source_archive.h"

#include <zip.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace yp {
namespace {

namespace fs = std::filesystem;

// What is no source tree is not walked forever.
constexpr size_t kMaxEntries = 4'000'000;

Status TooMany(const std::string& place) {
  return Status::Error(place + " has more than " + std::to_string(kMaxEntries) +
                       " files: give --sources a smaller folder");
}

class Folder final : public SourceArchive {
 public:
  explicit Folder(std::string place) : place_(std::move(place)) {}

  // Links to folders are not followed, and hidden folders left out (.git).
  Status ForEach(const std::function<void(std::string_view path)>& take) const override {
    std::error_code error;
    fs::recursive_directory_iterator entry(place_, fs::directory_options::skip_permission_denied,
                                           error);
    size_t number = 0;
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (++number > kMaxEntries) return TooMany(place_);
      std::error_code ignored;
      if (entry->is_directory(ignored)) {
        if (entry->path().filename().native().starts_with('.')) entry.disable_recursion_pending();
      } else if (entry->is_regular_file(ignored)) {
        take(std::string_view(entry->path().native()).substr(RootSize()));
      }
    }
    if (error) return Status::Error("cannot read the folder " + place_ + ": " + error.message());
    return Status::Ok();
  }

  Result<std::optional<std::string>> Read(const std::string& path) const override {
    const std::string full =
        place_.substr(0, RootSize()) + (RootSize() > place_.size() ? "/" : "") + path;
    std::ifstream file(full, std::ios::binary);
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.eof() && file.fail()) return Status::Error("cannot read " + full);
    text.resize(static_cast<size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) return std::optional<std::string>();
    return std::optional(std::move(text));
  }

 private:
  // Of the folder's name with its slash, as it stands before each path.
  size_t RootSize() const { return place_.size() + (place_.ends_with('/') ? 0 : 1); }

  const std::string place_;
};

class Zip final : public SourceArchive {
 public:
  Zip(std::string place, zip_t* zip) : place_(std::move(place)), zip_(zip) {}
  ~Zip() override { zip_discard(zip_); }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;

  Status ForEach(const std::function<void(std::string_view path)>& take) const override {
    const zip_int64_t entries = zip_get_num_entries(zip_, 0);
    if (entries > static_cast<zip_int64_t>(kMaxEntries)) return TooMany(place_);
    for (zip_int64_t i = 0; i < entries; ++i) {
      const char* const name = zip_get_name(zip_, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
      if (name == nullptr) return Broken(zip_strerror(zip_));
      take(name);
    }
    return Status::Ok();
  }

  Result<std::optional<std::string>> Read(const std::string& path) const override {
    zip_file_t* const file = zip_fopen(zip_, path.c_str(), ZIP_FL_ENC_GUESS);
    if (file == nullptr) return Broken(path + ": " + zip_strerror(zip_));
    std::string text;
    std::string error;
    // The size that the archive tells may be wrong.
    while (text.size() <= kMaxFileBytes) {
      constexpr size_t kChunk = 64 << 10;
      const size_t before = text.size();
      text.resize(before + kChunk);
      const zip_int64_t got = zip_fread(file, text.data() + before, kChunk);
      text.resize(before + static_cast<size_t>(got > 0 ? got : 0));
      if (got < 0) error = path + ": " + zip_file_strerror(file);
      if (got <= 0) break;
    }
    zip_fclose(file);
    if (!error.empty()) return Broken(error);
    if (text.size() > kMaxFileBytes) return std::optional<std::string>();
    return std::optional(std::move(text));
  }

 private:
  Status Broken(const std::string& why) const {
    return Status::Error("the archive " + place_ + " cannot be read (" + why +
                         "): give --sources another, or the folder that it was made of");
  }

  const std::string place_;
  zip_t* const zip_;
};

}  // namespace

Result<std::unique_ptr<SourceArchive>> SourceArchive::Open(const std::string& place) {
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (!fs::exists(status)) {
    return Status::Error("--sources " + place + ": there is no such folder or archive");
  }
  if (fs::is_directory(status)) return std::unique_ptr<SourceArchive>(new Folder(place));
  if (!fs::is_regular_file(status)) {
    return Status::Error("--sources " + place + ": give a folder, or a jar or zip file");
  }
  int code = 0;
  zip_t* const zip = zip_open(place.c_str(), ZIP_RDONLY, &code);
  if (zip == nullptr) {
    zip_error_t why;
    zip_error_init_with_code(&why, code);
    const std::string text = zip_error_strerror(&why);
    zip_error_fini(&why);
    return Status::Error("--sources " + place + ": neither a folder nor a jar or zip file that " +
                         "can be read (" + text + ")");
  }
  return std::unique_ptr<SourceArchive>(new Zip(place, zip));
}

}  // namespace yp
