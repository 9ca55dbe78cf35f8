//! Rules in CEL: compiled when a plan is checked, evaluated when a gate is judged.
