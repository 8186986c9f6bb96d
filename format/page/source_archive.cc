#include "format/page/source_archive.h"

#include <minizip/unzip.h>

#include <cerrno>
#include <cstdint>
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

std::string Explain(int code) {
  switch (code) {
    case UNZ_ERRNO:
      return std::generic_category().message(errno);
    case UNZ_CRCERROR:
      return "its checksum is another";
    case UNZ_BADZIPFILE:
    case Z_DATA_ERROR:
      return "it is damaged";
    default:
      return "error " + std::to_string(code) + " of zlib";
  }
}

class Zip final : public SourceArchive {
 public:
  // Takes the place of each file in it.
  static Result<std::unique_ptr<SourceArchive>> Open(const std::string& place) {
    const unzFile file = unzOpen64(place.c_str());
    if (file == nullptr) {
      return Status::Error("--sources " + place +
                           ": neither a folder nor a jar or zip file that can be read");
    }
    std::unique_ptr<Zip> zip(new Zip(place, file));
    if (Status listed = zip->List(); !listed) return listed;
    return std::unique_ptr<SourceArchive>(std::move(zip));
  }
  ~Zip() override { unzClose(zip_); }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;

  Status ForEach(const std::function<void(std::string_view path)>& take) const override {
    for (const auto& [path, position] : positions_) take(path);
    return Status::Ok();
  }

  Result<std::optional<std::string>> Read(const std::string& path) const override {
    const auto found = positions_.find(path);
    if (found == positions_.end()) return Broken(path + ": it is not there");
    int error = unzGoToFilePos64(zip_, &found->second);
    if (error == UNZ_OK) error = unzOpenCurrentFile(zip_);
    if (error != UNZ_OK) return Broken(path + ": " + Explain(error));
    std::string text;
    int got = 1;
    // The size that the archive tells may be wrong.
    while (got > 0 && text.size() <= kMaxFileBytes) {
      constexpr unsigned kChunk = 64 << 10;
      const size_t before = text.size();
      text.resize(before + kChunk);
      got = unzReadCurrentFile(zip_, text.data() + before, kChunk);
      text.resize(before + static_cast<size_t>(got > 0 ? got : 0));
    }
    // The checksum is looked at when all has been read.
    const int closed = unzCloseCurrentFile(zip_);
    if (got < 0) return Broken(path + ": " + Explain(got));
    if (text.size() > kMaxFileBytes) return std::optional<std::string>();
    if (closed != UNZ_OK) return Broken(path + ": " + Explain(closed));
    return std::optional(std::move(text));
  }

 private:
  Zip(std::string place, unzFile zip) : place_(std::move(place)), zip_(zip) {}

  Status List() {
    unz_global_info64 archive{};
    if (const int error = unzGetGlobalInfo64(zip_, &archive); error != UNZ_OK) {
      return Broken(Explain(error));
    }
    if (archive.number_entry > kMaxEntries) return TooMany(place_);
    std::string name(UINT16_MAX + 1, '\0');  // The longest that a zip file can hold.
    int error = archive.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(zip_);
    for (; error == UNZ_OK; error = unzGoToNextFile(zip_)) {
      unz_file_info64 info{};
      unz64_file_pos position{};
      error =
          unzGetCurrentFileInfo64(zip_, &info, name.data(), name.size(), nullptr, 0, nullptr, 0);
      if (error == UNZ_OK) error = unzGetFilePos64(zip_, &position);
      if (error != UNZ_OK) break;
      positions_.emplace(name.substr(0, info.size_filename), position);
    }
    return error == UNZ_END_OF_LIST_OF_FILE ? Status::Ok() : Broken(Explain(error));
  }

  Status Broken(const std::string& why) const {
    return Status::Error("the archive " + place_ + " cannot be read (" + why +
                         "): give --sources another, or the folder that it was made of");
  }

  const std::string place_;
  const unzFile zip_;
  std::unordered_map<std::string, unz64_file_pos> positions_;
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
  return Zip::Open(place);
}

}  // namespace yp
