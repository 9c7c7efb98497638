// Text -> XML tree. tinyxml2 does the work; what it lets pass is checked here: bytes that are no text, a second
// root, text outside the root, and whatever follows a stray end tag, where it stops without a word.
#include "xml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "refusal.hpp"

namespace stance {
namespace {

// Appended to the text. If it is not read, neither was all that stands before it.
constexpr const char* kEndMark = "stance-end-of-text";

std::ptrdiff_t line_of(std::string_view text, std::size_t offset) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

// The length of the UTF-8 sequence at `offset`, or 0 if there is none (RFC 3629, table in section 4).
std::size_t utf8_length(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return offset + i < text.size() ? static_cast<std::uint8_t>(text[offset + i]) : 0;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned head = byte(0);
  if (head < 0x80) return 1;
  if (head >= 0xC2 && head <= 0xDF) return tail(1) ? 2 : 0;
  if (head >= 0xE0 && head <= 0xEF) {
    const bool overlong = head == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = head == 0xED && byte(1) > 0x9F;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (head >= 0xF0 && head <= 0xF4) {
    const bool overlong = head == 0xF0 && byte(1) < 0x90;
    const bool beyond = head == 0xF4 && byte(1) > 0x8F;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

void require_text(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    refuse(ErrorCode::kSyntax, {}, "is empty; a URDF file holds one <robot> element");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(ErrorCode::kSyntax, {}, "is UTF-16 text; save it as UTF-8");
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const std::size_t length = utf8_length(text, i);
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (length == 0 || control) {
      refuse(ErrorCode::kSyntax, {},
             fmt::format(
                 "line {}: the byte 0x{:02X} is not UTF-8 text; this is not a URDF file, or it "
                 "must be saved as UTF-8",
                 line_of(text, i), byte));
    }
    i += length;
  }
}

// Comments and the like: nothing in them is a tag, an attribute or an entity.
constexpr std::pair<std::string_view, std::string_view> kFree[] = {
    {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};

// The offset where the free section that begins at `offset` ends; `offset` itself if none begins there.
std::size_t skip_free(std::string_view text, std::size_t offset) {
  for (const auto& [begin, end] : kFree) {
    if (text.substr(offset).starts_with(begin))
      return std::min(text.find(end, offset + begin.size()), text.size() - 1);
  }
  return offset;
}

// Parsers look for a doubled attribute by comparing all pairs, and would not come back from a tag with a million; and
// two million tags of a few letters make a gigabyte. Every attribute has a value in quotes: those are counted, whatever
// stands in them. The largest robots have some ten thousand parts.
void require_few_parts(std::string_view text) {
  constexpr int kMostAttributes = 1000, kMostParts = 500'000;
  int attributes = -1;  // outside of tags
  int parts = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (attributes < 0) {
      i = skip_free(text, i);
      if (text[i] != '<') continue;
      attributes = 0;
      ++parts;
    } else if (text[i] == '>') {
      attributes = -1;
    } else if (text[i] == '"' || text[i] == '\'') {
      ++parts;
      if (++attributes > kMostAttributes) {
        refuse(
            ErrorCode::kSyntax, {},
            fmt::format("line {}: an element has more than {} attributes; this is not a robot file",
                        line_of(text, i), kMostAttributes));
      }
      i = std::min(text.find(text[i], i + 1), text.size());
    }
    if (parts > kMostParts) {
      refuse(ErrorCode::kSyntax, {},
             fmt::format("line {}: there are more than {} tags and attributes; this is not a robot "
                         "file",
                         line_of(text, std::min(i, text.size())), kMostParts));
    }
  }
}

// Is this the number of a character that a text may hold? (XML 1.0, production 2)
bool is_character(unsigned long code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code > 0xDFFF && code < 0xFFFE) || (code > 0xFFFF && code <= 0x10FFFF);
}

// A bare & is not XML. Parsers that let it pass make different names of it, and so they do of what is no character.
void require_entities(std::string_view text) {
  constexpr std::size_t kLongest = 10;  // &#x10FFFF;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i = skip_free(text, i);
    if (text[i] != '&') continue;
    const std::string_view rest = text.substr(i + 1, kLongest);
    const std::string_view name = rest.substr(0, rest.find(';'));
    const bool hex = name.starts_with("#x");
    const std::string_view digits = name.substr(std::min<std::size_t>(hex ? 2 : 1, name.size()));
    const bool numeric = name.starts_with('#') && !digits.empty() &&
                         digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789") ==
                             digits.npos;
    const bool named = name == "amp" || name == "lt" || name == "gt" || name == "quot" ||
                       name == "apos";
    if (name.size() == rest.size() || !(numeric || named)) {
      refuse(ErrorCode::kSyntax, {},
             fmt::format("line {}: an & stands alone; write &amp; for it", line_of(text, i)));
    }
    if (numeric && !is_character(std::stoul(std::string(digits), nullptr, hex ? 16 : 10))) {
      refuse(ErrorCode::kSyntax, {},
             fmt::format("line {}: &{}; is not a character; remove it", line_of(text, i), name));
    }
  }
}

// XML wants its declaration to be the very first. What stands before it becomes blank, so that lines keep their numbers.
void clear_way_to_declaration(std::string& text, LoadReport& report) {
  std::size_t begin = text.find('<');
  while (text.compare(begin, 4, "<!--") == 0)
    begin = text.find('<', std::min(text.find("-->", begin), text.size()));
  if (begin == std::string::npos || text.compare(begin, 6, "<?xml ") != 0) return;
  const std::size_t first = text.find_first_not_of(
      text.starts_with("\xEF\xBB\xBF") ? " \t\r\n\xEF\xBB\xBF" : " \t\r\n");
  if (first == begin) return;
  const std::string what = fmt::format("line {}: something stands before the <?xml?> declaration",
                                       line_of(text, first));
  constexpr const char* kMeaning = "leaves it out";
  if (!report.lenient) {
    refuse(ErrorCode::kSyntax, {},
           fmt::format("{}; remove it, or load it with --lenient (lenient: yes), which {}", what,
                       kMeaning));
  }
  report.tell(Remark::Kind::kLenient, "<robot>", fmt::format("{}; --lenient {}", what, kMeaning));
  for (std::size_t i = 0; i < begin; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

const char* explain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "this element is not closed, or is closed by another's end tag";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "this element is malformed";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is malformed or given twice; it is written name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "this comment does not end with -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "this CDATA section does not end with ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "this <?...?> declaration is malformed, or is not at the very beginning";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply for a robot file";
    default: return "this is not XML";
  }
}

[[noreturn]] void refuse_syntax(std::string_view text, tinyxml2::XMLDocument& document) {
  const auto error = document.ErrorID();
  const bool cut = text.find("<robot") != std::string_view::npos &&
                   text.find("</robot") == std::string_view::npos &&
                   error != tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED;
  refuse(ErrorCode::kSyntax, {},
         fmt::format("line {}: {}{}", std::max(document.ErrorLineNum(), 1), explain(error),
                     cut ? "; there is no </robot>, so the file looks cut off: get the whole file"
                         : "; correct the XML there"));
}

}  // namespace

const tinyxml2::XMLElement& parse_xml(std::string_view text, tinyxml2::XMLDocument& document,
                                      LoadReport& report) {
  require_text(text);
  require_few_parts(text);
  std::string marked = fmt::format("{}<{}/>", text, kEndMark);
  clear_way_to_declaration(marked, report);
  if (document.Parse(marked.data(), marked.size()) != tinyxml2::XML_SUCCESS) {
    refuse_syntax(text, document);
  }
  const tinyxml2::XMLElement* root = nullptr;
  for (const auto* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() != nullptr) {
      refuse(
          ErrorCode::kSyntax, {},
          fmt::format("line {}: there is text outside the root element; this is not a URDF file, "
                      "or that text must go",
                      node->GetLineNum()));
    }
    const auto* element = node->ToElement();
    if (element == nullptr) continue;
    const bool end = element == document.LastChild() && std::strcmp(element->Name(), kEndMark) == 0;
    if (end && root == nullptr)
      refuse(ErrorCode::kSyntax, {}, "holds no element; a URDF file holds one <robot>");
    if (end) {
      require_entities(text);
      return *root;
    }
    if (root != nullptr) {
      refuse(ErrorCode::kSyntax, {},
             fmt::format(
                 "line {}: <{}> stands after the end of <{}>; an XML file has one root element",
                 element->GetLineNum(), element->Name(), root->Name()));
    }
    root = element;
  }
  refuse(ErrorCode::kSyntax, {},
         "there is an end tag too many, and what follows it cannot be read; remove it");
}

}  // namespace stance
