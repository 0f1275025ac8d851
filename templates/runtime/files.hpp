// Files as the runtime uses them: mapped whole to be read, and replaced whole when written.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "address_sanitizer.hpp"
#include "support.hpp"

namespace violet {

/// Closes a file descriptor when it goes out of scope.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes it now and says whether all that was written has been accepted.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

/// A read-only memory-mapped file; under AddressSanitizer a copy of one, as it does not know where a mapping ends.
class MappedFile {
 public:
  /// A file that cannot be read is a failure with `code`.
  MappedFile(const std::string& path, ExitCode code) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // else a pipe would be awaited
    struct stat status;
    if (!file.valid() || ::fstat(file.number(), &status) != 0) {
      throw Failure{code, text("cannot open: %s", std::strerror(errno))};
    }
    if (!S_ISREG(status.st_mode)) throw Failure{code, "is not a regular file"};
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;  // an empty file cannot be mapped
    void* const address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.number(), 0);
    if (address == MAP_FAILED) throw Failure{no_resources, text("cannot map: %s", std::strerror(errno))};
    bytes_ = static_cast<const std::byte*>(address);
    if constexpr (address_sanitizer) {
      bytes_ = static_cast<const std::byte*>(std::memcpy(new std::byte[size_], address, size_));
      ::munmap(address, size_);
    }
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if constexpr (address_sanitizer) {
      delete[] bytes_;
    } else if (bytes_ != nullptr) {
      ::munmap(const_cast<std::byte*>(bytes_), size_);
    }
  }

  const std::byte* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// Replaces the file `path` by `content`: readers see the old file or the whole new one, never a part.
inline void write_file(const std::string& path, const std::string& content) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw Failure{usage_error, text("cannot write %s: it exists and is not a regular file", path.c_str())};
  }
  const std::string temporary = text("%s.%d.tmp", path.c_str(), static_cast<int>(::getpid()));
  FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  std::size_t written = 0;
  while (file.valid() && written < content.size()) {
    const ssize_t count = ::write(file.number(), content.data() + written, content.size() - written);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  const bool complete = file.valid() && written == content.size() && ::fsync(file.number()) == 0 && file.close();
  if (complete && ::rename(temporary.c_str(), path.c_str()) == 0) return;
  const int reason = errno;
  ::unlink(temporary.c_str());
  throw Failure{no_resources, text("cannot write %s: %s", path.c_str(), std::strerror(reason))};
}

}  // namespace violet
