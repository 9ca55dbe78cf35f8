//! Plan files: YAML to a validated plan with the line and column of every problem, and the JSON Schema for editors.
