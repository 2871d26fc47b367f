// Plain fail-soft alpha-beta as a C++ programmer would write it for one game at a time: the yardstick of
// alphabeta_cpp.py. Rules, move order, values (player 0's, in double) and the count of nodes are those of zermelo.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace {

struct State {
    std::int64_t x, o;
    int player;
};

struct TicTacToe {
    static constexpr int max_actions = 9;

    static bool has_line(std::int64_t b) {
        return (b & b >> 1 & b >> 2 & 0111) || (b & b >> 3 & b >> 6) || (b & 0421) == 0421 || (b & 0124) == 0124;
    }

    static bool is_over(const State& s) {
        return has_line(s.player == 0 ? s.o : s.x) || (s.x | s.o) == 0777;
    }

    static int fill(const State& s, int* out) {
        const std::int64_t taken = s.x | s.o;
        int n = 0;
        for (int cell = 0; cell < 9; ++cell)
            if (!(taken >> cell & 1)) out[n++] = cell;
        return n;
    }

    static State result(const State& s, int action) {
        const std::int64_t stone = std::int64_t{1} << action;
        return s.player == 0 ? State{s.x | stone, s.o, 1} : State{s.x, s.o | stone, 0};
    }
};

struct ConnectFour {
    static constexpr int rows = 6, cols = 7, column = rows + 1, max_actions = cols;

    static bool has_line(std::int64_t b) {
        for (int step : {1, column - 1, column, column + 1}) {
            const std::int64_t pairs = b & b >> step;
            if (pairs & pairs >> 2 * step) return true;
        }
        return false;
    }

    static bool is_over(const State& s) { return has_line(s.player == 0 ? s.o : s.x); }

    static int fill(const State& s, int* out) {
        const std::int64_t top = (s.x | s.o) >> (rows - 1);
        int n = 0;
        for (int col = 0; col < cols; ++col)
            if (!(top >> col * column & 1)) out[n++] = col;
        return n;
    }

    static State result(const State& s, int action) {
        const std::int64_t taken = s.x | s.o;
        const std::int64_t stone = (taken + (std::int64_t{1} << action * column)) & ~taken;
        return s.player == 0 ? State{s.x | stone, s.o, 1} : State{s.x, s.o | stone, 0};
    }
};

template <class Game>
double utility(const State& s, int player) {
    if (Game::has_line(s.x)) return player == 0 ? 1.0 : -1.0;
    if (Game::has_line(s.o)) return player == 1 ? 1.0 : -1.0;
    return 0.0;
}

template <class Game>
double alphabeta(const State& s, double alpha, double beta, int depth, std::int64_t& nodes) {
    ++nodes;
    if (Game::is_over(s)) return utility<Game>(s, 0);
    if (depth == 0) return 0.0;
    int actions[Game::max_actions];
    const int count = Game::fill(s, actions);
    if (count == 0) return utility<Game>(s, 0);
    const double infinity = std::numeric_limits<double>::infinity();
    double best = s.player == 0 ? -infinity : infinity;
    for (int i = 0; i < count; ++i) {
        const double value = alphabeta<Game>(Game::result(s, actions[i]), alpha, beta, depth - 1, nodes);
        if (s.player == 0) {
            best = std::max(best, value);
            alpha = std::max(alpha, best);
        } else {
            best = std::min(best, value);
            beta = std::min(beta, best);
        }
        if (alpha >= beta) break;
    }
    return best;
}

template <class Game>
double repeated(int depth, int times, std::int64_t* nodes) {
    const double infinity = std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (int i = 0; i < times; ++i) sum += alphabeta<Game>(State{0, 0, 0}, -infinity, infinity, depth, *nodes);
    return sum / times;
}

}  // namespace

// The value of the first position; `nodes` grows by the nodes of all `times` searches.
extern "C" double tic_tac_toe(int depth, int times, std::int64_t* nodes) {
    return repeated<TicTacToe>(depth, times, nodes);
}

extern "C" double connect_four(int depth, int times, std::int64_t* nodes) {
    return repeated<ConnectFour>(depth, times, nodes);
}
