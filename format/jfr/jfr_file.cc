#include "format/jfr/jfr_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace yp::jfr {
namespace {

constexpr std::array<uint8_t, 4> kMagic = {'F', 'L', 'R', 0};
constexpr size_t kHeaderBytes = 68;
constexpr uint64_t kMajorVersion = 2;
constexpr int64_t kMetadataEvent = 0;
constexpr int64_t kCheckpointEvent = 1;

// The beginning of a chunk; positions count from it. jdk.jfr.internal.parser.ChunkHeader.
struct ChunkHeader {
  uint64_t major = 0, minor = 0;
  uint64_t size = 0;
  uint64_t checkpoint = 0;  // The last checkpoint event's position.
  uint64_t metadata = 0;    // The metadata event's.
  int64_t start_unix_ns = 0;
  int64_t start_ticks = 0;
  int64_t ticks_per_second = 0;
  // Since JDK 14: not 0 while the chunk is being written; the header then tells of the last flush.
  bool is_unfinished = false;
  bool has_varints = false;

  static ChunkHeader Parse(Cursor in) {
    ChunkHeader header;
    in.Skip(kMagic.size());
    header.major = in.BigEndian(2);
    header.minor = in.BigEndian(2);
    header.size = in.BigEndian(8);
    header.checkpoint = in.BigEndian(8);
    header.metadata = in.BigEndian(8);
    header.start_unix_ns = static_cast<int64_t>(in.BigEndian(8));
    in.Skip(8);  // Its duration.
    header.start_ticks = static_cast<int64_t>(in.BigEndian(8));
    header.ticks_per_second = static_cast<int64_t>(in.BigEndian(8));
    header.is_unfinished = in.BigEndian(1) != 0;
    header.has_varints = (in.BigEndian(3) & 1) != 0;
    return header;
  }
  bool HasEventAt(uint64_t position) const { return position >= kHeaderBytes && position < size; }
};

// The frame of an event: what every event begins with.
struct EventFrame {
  size_t begin = 0;
  size_t end = 0;
  size_t body = 0;
  int64_t type_id = 0;
};

// The event at `begin`; the cursor, which ends where events may, fails unless it is whole.
EventFrame FrameAt(Cursor& in) {
  EventFrame frame{.begin = in.position(), .end = 0, .body = 0, .type_id = 0};
  const size_t left = in.left();
  const int64_t size = in.Varint();
  frame.type_id = in.Varint();
  frame.body = in.position();
  if (in.ok() && (size < static_cast<int64_t>(frame.body - frame.begin) ||
                  static_cast<uint64_t>(size) > left)) {
    in.Fail("an event whose size cannot be");
  }
  frame.end = frame.begin + (in.ok() ? static_cast<size_t>(size) : 0);
  return frame;
}

// Where a chunk's parts are in the file.
struct ChunkParts {
  size_t begin = 0;  // Of the first event.
  size_t end = 0;    // After the last event.
  std::optional<EventFrame> metadata;
  std::vector<EventFrame> checkpoints;  // The latest first.
};

class Mapping {
 public:
  static Result<Mapping> Of(const std::string& path) {
    const auto error = [&path](int number) {
      return Status::Error("cannot read " + path + ": " + std::strerror(number) +
                           "; check the path and its permissions");
    };
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return error(errno);
    struct stat status {};
    int failure = fstat(fd, &status) != 0 ? errno : 0;
    if (failure == 0 && S_ISDIR(status.st_mode)) failure = EISDIR;
    Mapping mapping;
    if (failure == 0 && status.st_size > 0) {
      const auto size = static_cast<size_t>(status.st_size);
      void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (at == MAP_FAILED) {
        failure = errno;
      } else {
        mapping.bytes_ = {static_cast<const uint8_t*>(at), size};
      }
    }
    close(fd);
    if (failure != 0) return error(failure);
    return mapping;
  }
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() {
    if (!bytes_.empty()) munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
  }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  Mapping() = default;
  std::span<const uint8_t> bytes_;
};

}  // namespace

int64_t TicksToNs(int64_t ticks, int64_t ticks_per_second) {
  __extension__ using Wide = __int128;
  const Wide scaled = static_cast<Wide>(ticks) * 1'000'000'000;
  Wide ns = scaled / ticks_per_second;
  if (ns * ticks_per_second > scaled) --ns;
  using Limits = std::numeric_limits<int64_t>;
  return static_cast<int64_t>(std::clamp<Wide>(ns, Limits::min(), Limits::max()));
}

bool LooksLikeRecording(std::span<const uint8_t> head) {
  const size_t n = std::min(head.size(), kMagic.size());
  return n > 0 && std::equal(kMagic.begin(), kMagic.begin() + n, head.begin());
}

Value Event::operator[](std::string_view path) const {
  const size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name != name) continue;
    const Value value(chunk_, fields_[i], positions_[i]);
    return dot == std::string_view::npos ? value : value[path.substr(dot + 1)];
  }
  return {};
}

int64_t Event::NsOf(int64_t ticks) const {
  int64_t since_start = 0;
  if (__builtin_sub_overflow(ticks, clock_->start_ticks, &since_start)) {
    since_start = ticks < clock_->start_ticks ? std::numeric_limits<int64_t>::min()
                                              : std::numeric_limits<int64_t>::max();
  }
  return TicksToNs(since_start, clock_->ticks_per_second);
}

int64_t Event::start_ns() const {
  const std::optional<int64_t> start = (*this)["startTime"].Integer();
  return start ? NsOf(*start) : 0;
}

int64_t Event::end_ns() const {
  const std::optional<int64_t> start = (*this)["startTime"].Integer();
  if (!start) return 0;
  int64_t end = 0;
  if (__builtin_add_overflow(*start, (*this)["duration"].Integer().value_or(0), &end)) end = *start;
  return NsOf(end);
}

std::string_view Event::TypeName(int64_t type_id) const {
  const int64_t index = chunk_->metadata.Find(type_id);
  return index < 0 ? std::string_view() : chunk_->metadata[static_cast<uint32_t>(index)].name;
}

class Reader {
 public:
  Reader(std::span<const uint8_t> file, const std::string& name,
         std::span<const std::string_view> wanted, const std::function<void(const Event&)>& handler)
      : file_(file), name_(name), wanted_(wanted), handler_(handler) {
    info_.is_known.resize(wanted.size());
  }

  Result<FileInfo> Read() {
    if (!LooksLikeRecording(file_)) {
      return Status::Error(name_ + " is not a JFR recording" + (file_.empty() ? " but empty" : "") +
                           "; give a file that JDK Flight Recorder wrote");
    }
    for (size_t position = 0; position < file_.size();) {
      const Status status = ReadChunk(position);
      if (!status) return status;
    }
    return std::move(info_);
  }

 private:
  Cursor From(size_t begin, size_t end) const { return Cursor(file_, begin, end); }
  Status Malformed(const char* problem, size_t position) const {
    return Status::Error(name_ + " is malformed: " + problem + " at byte " +
                         std::to_string(position) + "; record again, or look with `jfr summary`");
  }
  void CutOff(size_t position, size_t& next) {
    info_.cut_off = true;
    info_.cut_off_at = position;
    next = file_.size();
  }

  // Reads the chunk at `position` and moves that to the next one, or to the file's end.
  Status ReadChunk(size_t& position) {
    const size_t begin = position;
    if (!LooksLikeRecording(file_.subspan(begin))) {
      return Malformed("something that is no chunk", begin);
    }
    if (file_.size() - begin < kHeaderBytes) {
      CutOff(begin, position);
      return Status::Ok();
    }
    const ChunkHeader header = ChunkHeader::Parse(From(begin, begin + kHeaderBytes));
    if (header.major != kMajorVersion) {
      return Status::Error(name_ + " has JFR's format " + std::to_string(header.major) + "." +
                           std::to_string(header.minor) + " at byte " + std::to_string(begin) +
                           ", this program reads 2; record with JDK 11 or later");
    }
    if (header.size == 0 && header.ticks_per_second == 0) {
      // Before JDK 14 the header is filled in when the chunk is finished.
      CutOff(begin, position);
      return Status::Ok();
    }
    if (header.ticks_per_second <= 0) return Malformed("a chunk without a clock", begin + 56);
    if (!header.has_varints) {
      return Malformed("integers without compression, which this program does not read",
                       begin + 64);
    }
    const size_t room = file_.size() - begin;
    const bool is_sane = header.size >= kHeaderBytes && header.HasEventAt(header.metadata) &&
                         header.HasEventAt(header.checkpoint);
    const bool is_whole = is_sane && header.size <= room;
    if (!is_sane && !header.is_unfinished && header.size != 0 && header.size <= room) {
      return Malformed("a chunk whose header cannot be", begin);
    }
    const bool is_cut_off = !is_whole || header.is_unfinished;

    const size_t end = begin + (is_whole ? static_cast<size_t>(header.size) : room);
    Cursor in = From(begin, end);
    const ChunkParts parts =
        is_whole ? PartsByHeader(header, begin, in) : PartsBySearch(begin + kHeaderBytes, end);
    size_t stopped_at = parts.end;
    if (in.ok()) {
      if (!clock_is_set_) {
        clock_is_set_ = true;
        clock_ = {.start_ticks = header.start_ticks, .ticks_per_second = header.ticks_per_second};
        info_.start_unix_ns = header.start_unix_ns;
      }
      if (parts.metadata) ReadParts(parts, in);
    }
    if (!in.ok() && !is_cut_off) return Malformed(in.problem(), in.position());
    if (!in.ok()) stopped_at = in.position();
    position = parts.end;
    // What follows the last flush is not a chunk, unless files were joined.
    if (is_cut_off) {
      const bool is_joined = is_whole && in.ok() && position < file_.size() &&
                             LooksLikeRecording(file_.subspan(position));
      const size_t next = position;
      CutOff(stopped_at, position);
      if (is_joined) position = next;
    }
    return Status::Ok();
  }

  ChunkParts PartsByHeader(const ChunkHeader& header, size_t begin, Cursor& in) const {
    ChunkParts parts;
    parts.begin = begin + kHeaderBytes;
    parts.end = begin + static_cast<size_t>(header.size);
    in = From(begin + static_cast<size_t>(header.metadata), parts.end);
    parts.metadata = FrameAt(in);
    if (in.ok() && parts.metadata->type_id != kMetadataEvent) {
      in.Fail("an event that should be the metadata");
    }
    // Each checkpoint tells how far before it the previous one is.
    size_t checkpoint = begin + static_cast<size_t>(header.checkpoint);
    size_t limit = parts.end;  // None lies within another, so that reading them is linear.
    while (in.ok()) {
      in = From(checkpoint, limit);
      const EventFrame frame = FrameAt(in);
      if (in.ok() && frame.type_id != kCheckpointEvent) {
        in.Fail("an event that should be a checkpoint");
      }
      in.SkipVarint();  // Its time
      in.SkipVarint();  // and duration.
      const int64_t delta = in.Varint();
      if (!in.ok()) break;
      parts.checkpoints.push_back(frame);
      if (delta == 0) break;
      if (delta > 0 || delta < -static_cast<int64_t>(checkpoint - parts.begin)) {
        in.Fail("a checkpoint whose previous one cannot be");
        break;
      }
      limit = checkpoint;
      checkpoint -= static_cast<size_t>(-delta);
    }
    return parts;
  }

  // Of a chunk whose header does not tell. Ends with the last metadata or checkpoint: constants of
  // later events are not there.
  ChunkParts PartsBySearch(size_t begin, size_t end) const {
    ChunkParts parts;
    parts.begin = parts.end = begin;
    for (size_t position = begin; position < end;) {
      Cursor in = From(position, end);
      const EventFrame frame = FrameAt(in);
      if (!in.ok()) break;
      position = frame.end;
      if (frame.type_id != kMetadataEvent && frame.type_id != kCheckpointEvent) continue;
      parts.end = frame.end;
      if (frame.type_id == kMetadataEvent) {
        parts.metadata = frame;
      } else {
        parts.checkpoints.push_back(frame);
      }
    }
    if (!parts.metadata) parts.end = begin;
    std::ranges::reverse(parts.checkpoints);
    return parts;
  }

  void ReadParts(const ChunkParts& parts, Cursor& in) {
    Chunk chunk;
    chunk.file = file_;
    chunk.number = info_.chunks++;
    in = From(parts.metadata->body, parts.metadata->end);
    chunk.metadata = Metadata::Parse(in);
    if (!in.ok()) return;

    std::vector<uint32_t> types;  // That are wanted.
    std::vector<size_t> wanted_of(chunk.metadata.types().size(), wanted_.size());
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const int64_t found = chunk.metadata.Find(wanted_[i]);
      if (found < 0) continue;
      info_.is_known[i] = true;
      types.push_back(static_cast<uint32_t>(found));
      wanted_of[static_cast<size_t>(found)] = i;
    }
    chunk.constants = ConstantPools(chunk.metadata.ConstantsOf(types));
    for (const EventFrame& checkpoint : parts.checkpoints) {
      in = From(checkpoint.body, checkpoint.end);
      in.SkipVarint();
      in.SkipVarint();
      in.SkipVarint();
      chunk.constants.Add(chunk.metadata, in);
      if (!in.ok()) return;
    }
    chunk.constants.Finish();
    ReadEvents(chunk, parts, wanted_of, in);
  }

  void ReadEvents(const Chunk& chunk, const ChunkParts& parts, const std::vector<size_t>& wanted_of,
                  Cursor& in) {
    Event event;
    event.chunk_ = &chunk;
    event.clock_ = &clock_;
    int64_t known_id = -1, known_index = -1;  // Of the event before: types come in runs.
    for (size_t position = parts.begin; position < parts.end;) {
      in = From(position, parts.end);
      const EventFrame frame = FrameAt(in);
      if (!in.ok()) return;
      position = frame.end;
      if (frame.type_id == kMetadataEvent || frame.type_id == kCheckpointEvent) continue;
      ++info_.events;
      if (frame.type_id != known_id) {
        known_id = frame.type_id;
        known_index = chunk.metadata.Find(known_id);
      }
      if (known_index < 0) continue;
      const auto index = static_cast<uint32_t>(known_index);
      event.wanted_index_ = wanted_of[index];
      if (event.wanted_index_ == wanted_.size()) continue;
      in = From(frame.body, frame.end);
      event.fields_ = chunk.metadata[index].fields;
      event.positions_.clear();
      for (const Field& field : event.fields_) {
        event.positions_.push_back(in.position());
        chunk.metadata.SkipField(field, in);
      }
      if (!in.ok()) return;
      handler_(event);
    }
  }

  const std::span<const uint8_t> file_;
  const std::string& name_;
  const std::span<const std::string_view> wanted_;
  const std::function<void(const Event&)>& handler_;
  FileInfo info_;
  Event::Clock clock_;
  bool clock_is_set_ = false;
};

Result<FileInfo> ReadBytes(std::span<const uint8_t> bytes, const std::string& name,
                           std::span<const std::string_view> wanted,
                           const std::function<void(const Event&)>& handler) {
  return Reader(bytes, name, wanted, handler).Read();
}

Result<FileInfo> ReadFile(const std::string& path, std::span<const std::string_view> wanted,
                          const std::function<void(const Event&)>& handler) {
  auto mapping = Mapping::Of(path);
  if (!mapping) return mapping.status();
  return ReadBytes(mapping->bytes(), path, wanted, handler);
}

}  // namespace yp::jfr
