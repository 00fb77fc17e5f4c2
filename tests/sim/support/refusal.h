// What a call refuses its input with.
#pragma once

#include <string>

#include "base/error.h"

namespace paceline::test {

// The message of the InputError that the call ends in; "accepted" if there is none.
template <class Call>
std::string refusal(Call call) {
  try {
    static_cast<void>(call());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace paceline::test
