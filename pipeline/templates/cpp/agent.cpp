// @NAME@: an agent that plays 2048. It keeps its tiles in a corner: the first legal direction of a fixed order. Put your
// method into Player::choose; agent2048.h says what each function may do.
#include "agent2048.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace {

// What there is to know of a board that awaits a move.
struct Position {
    std::array<uint8_t, 16> ranks; // row by row: 0 is empty, 1 is a 2, 11 is a 2048
    uint32_t legal;                // mask of the legal directions
    uint64_t score;
};

// The method. Whatever belongs to one game is cleared in new_game; chance comes from its seed and from nowhere else.
class Player {
public:
    void new_game(uint64_t seed) { seed_ = seed; }

    std::optional<uint32_t> choose(const Position &position) const {
        constexpr std::array order{AGENT2048_DOWN, AGENT2048_LEFT, AGENT2048_RIGHT, AGENT2048_UP};
        for (const uint32_t direction : order)
            if (position.legal & 1u << direction) return direction;
        return std::nullopt;
    }

private:
    uint64_t seed_ = 0;
};

// From here on: the boundary. No exception may cross it.

template <size_t N> constexpr agent2048_str text(const char (&literal)[N]) { return {literal, N - 1}; }

int32_t fail(agent2048_text *error, int32_t status, std::string_view message) {
    if (error != nullptr && error->data != nullptr) {
        error->len = std::min<uint64_t>(message.size(), error->capacity);
        std::memcpy(error->data, message.data(), error->len);
    }
    return status;
}

// Copies as much of a host's struct as both sides know; what the host does not know reads as zero.
template <typename T> T read_struct(const T *theirs) {
    T ours{};
    uint32_t size;
    std::memcpy(&size, theirs, sizeof size);
    std::memcpy(&ours, theirs, std::min<size_t>(size, sizeof ours));
    return ours;
}

template <typename Call> int32_t guarded(agent2048_text *error, Call call) {
    try {
        return call();
    } catch (const std::exception &exception) {
        return fail(error, AGENT2048_FAILED, exception.what());
    } catch (...) {
        return fail(error, AGENT2048_FAILED, "an exception of an unknown kind");
    }
}

Player *player(agent2048_agent *agent) { return reinterpret_cast<Player *>(agent); }

int32_t check_rules(const agent2048_rules &rules, agent2048_text *error) {
    if (rules.merging > AGENT2048_MERGE_CASCADING) return fail(error, AGENT2048_BAD_RULES, "unknown merging");
    if (rules.start > AGENT2048_START_BOARD) return fail(error, AGENT2048_BAD_RULES, "unknown start");
    if (rules.stop_rank >= 16) return fail(error, AGENT2048_BAD_RULES, "unknown stop rank");
    if (rules.cap_rank != 16) return fail(error, AGENT2048_BAD_RULES, "unknown cap rank");
    return AGENT2048_OK;
}

int32_t create(const agent2048_host *, uint32_t index, const agent2048_rules *rules, agent2048_str params,
               agent2048_text *error, agent2048_agent **agent) {
    return guarded(error, [&] {
        if (index != 0) return fail(error, AGENT2048_FAILED, "there is no such agent");
        if (const int32_t status = check_rules(read_struct(rules), error); status != AGENT2048_OK) return status;
        std::string given(params.data, params.len);
        std::erase_if(given, [](char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; });
        if (given != "{}") return fail(error, AGENT2048_BAD_PARAMS, "the agent has no parameters: they must be {}");
        *agent = reinterpret_cast<agent2048_agent *>(std::make_unique<Player>().release());
        return AGENT2048_OK;
    });
}

int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    return guarded(error, [&] {
        player(agent)->new_game(seed);
        return AGENT2048_OK;
    });
}

int32_t choose_move(agent2048_agent *agent, const agent2048_position *given, agent2048_decision *decision,
                    agent2048_text *error) {
    return guarded(error, [&] {
        const agent2048_position theirs = read_struct(given);
        if (theirs.budget_kind != AGENT2048_BUDGET_NONE)
            return fail(error, AGENT2048_BAD_BUDGET, "the agent takes no budget");
        Position position{{}, theirs.legal, theirs.score};
        std::copy_n(theirs.cells, position.ranks.size(), position.ranks.begin());
        const std::optional<uint32_t> direction = player(agent)->choose(position);
        if (!direction) return fail(error, AGENT2048_FAILED, "the position has no legal move");
        decision->direction = *direction;
        return AGENT2048_OK;
    });
}

void destroy(agent2048_agent *agent) { delete player(agent); }

const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor about = {
        .struct_size = sizeof(agent2048_descriptor),
        .reserved = 0,
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = text("@NAME@"),
        .name = text("@NAME@"),
        .version = text("1.0.0"),
        .paper = text(""),
        .licence = text("MIT"),
        .params_schema = text(R"({"type":"object","properties":{},"additionalProperties":false})"),
    };
    return index == 0 ? &about : nullptr;
}

} // namespace

const agent2048_plugin *agent2048_plugin_v1() {
    static const agent2048_plugin table = {
        .magic = AGENT2048_MAGIC,
        .abi_major = AGENT2048_ABI_MAJOR,
        .abi_minor = AGENT2048_ABI_MINOR,
        .struct_size = sizeof(agent2048_plugin),
        .agent_count = 1,
        .must_understand = 0,
        .descriptor = descriptor,
        .create = create,
        .new_game = new_game,
        .choose_move = choose_move,
        .destroy = destroy,
        .get_extension = nullptr,
    };
    return &table;
}
