//! Switches and intervals. Defaults are for real queries; tests set tiny intervals so that every
//! technique runs constantly.

/// Which of the two search modes are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// VMTF, frequent restarts: good at refuting.
    Focused,
    /// EVSIDS, rare restarts, target phases: good at finding models.
    Stable,
    /// Take turns, by equal effort.
    Alternating,
}

/// How the solver searches. All effort is a fraction of search ticks, so runs are reproducible.
#[derive(Clone, Copy, Debug)]
pub struct SatSettings {
    /// Search modes.
    pub modes: Modes,
    /// Conflicts of the first focused phase.
    pub mode_interval: u64,
    /// Value that a variable is tried with first.
    pub initial_phase: bool,
    /// Fewest conflicts between focused restarts.
    pub restart_interval: u64,
    /// Conflicts that make one unit of the Luby sequence in stable mode.
    pub luby_unit: u64,
    /// Conflicts before the first reset of phases; grows arithmetically. Zero: never.
    pub rephase_interval: u64,
    /// Conflicts before the first reduction; grows with the square root of conflicts.
    pub reduce_interval: u64,
    /// Conflicts before the first inprocessing; grows with each round. Zero: never.
    pub inprocess_interval: u64,
    /// Shorten learnt clauses by the implication graph and by binary clauses.
    pub minimize: bool,
    /// Try literals for failure at the root.
    pub probe: bool,
    /// Shorten clauses by propagating their negation.
    pub vivify: bool,
    /// Remove and shorten clauses by other clauses.
    pub subsume: bool,
    /// Replace literals by equivalent ones.
    pub substitute: bool,
    /// Eliminate variables by resolution.
    pub eliminate: bool,
    /// Conflicts between two calls of the trail observer (each restart is shown too).
    pub observe_interval: u64,
    /// Most literals that clauses may take before the answer is `Unknown`.
    pub memory_limit: usize,
}

impl Default for SatSettings {
    fn default() -> SatSettings {
        SatSettings {
            modes: Modes::Alternating,
            mode_interval: 1000,
            initial_phase: true,
            restart_interval: 2,
            luby_unit: 1024,
            rephase_interval: 1000,
            reduce_interval: 300,
            inprocess_interval: 2000,
            minimize: true,
            probe: true,
            vivify: true,
            subsume: true,
            substitute: true,
            eliminate: true,
            observe_interval: 256,
            memory_limit: 1 << 28,
        }
    }
}
