/** A valid spec with one requirement. */
export const GREETING_SPEC = `---
version: "1.0"
priority: must
created: 2026-11-16
---

# Feature: Greeting by name

## Vision

Visitors are greeted by their name.

## Scope

### In Scope

- The greeting

### Out of Scope

- Translations

## Requirements

### R-001: Greet by name

**Type:** functional
**Priority:** must
**Dependencies:** []

**Description:** greet(name) returns a greeting with the name.

**Acceptance Criteria:**

- [ ] greet('Ann') is 'hello Ann'
`
