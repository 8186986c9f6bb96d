#include "format/page/page.h"

#include "format/bytes/base64.h"
#include "format/bytes/gzip.h"

namespace yp {
namespace {

constexpr std::string_view kScriptBegin = R"(<script type="application/octet-stream" id="yp-data")";
constexpr std::string_view kScriptEnd = "</script>";

Result<std::string> Fill(std::string_view page_template, std::string_view attribute,
                         std::string_view content) {
  const size_t marker = page_template.find(kDataMarker);
  if (marker == std::string_view::npos ||
      page_template.find(kDataMarker, marker + 1) != std::string_view::npos) {
    return Status::Error("the page of this yp is damaged: it has not one place for the data; " +
                         std::string("build yp again"));
  }
  std::string page;
  page.reserve(page_template.size() + content.size() + 200);
  page += page_template.substr(0, marker);
  page += kScriptBegin;
  page += attribute;
  page += '>';
  page += content;
  page += kScriptEnd;
  page += page_template.substr(marker + kDataMarker.size());
  return page;
}

}  // namespace

Result<std::string> PageWithData(std::string_view page_template, std::string_view json) {
  const Result<std::string> compressed = Gzip(json, GzipEffort::kFast);
  if (!compressed) return compressed.status();
  return Fill(page_template, R"( data-encoding="gzip")", Base64(*compressed));
}

Result<std::string> PageWithDataAt(std::string_view page_template, std::string_view source) {
  return Fill(page_template, " data-src=\"" + std::string(source) + "\"", "");
}

}  // namespace yp
