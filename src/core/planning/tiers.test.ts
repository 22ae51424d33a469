import { describe, expect, it } from 'vitest'
import type { SecurityFlag, Tier } from './plan.ts'
import { classifyTask, tierOfPaths, type TierEvidence } from './tiers.ts'

const classify = (fields: Partial<TierEvidence>) => classifyTask({ title: 'x', paths: [], ...fields })

const TITLES: [tier: Tier, title: string, flag?: SecurityFlag][] = [
  ['critical', 'Create admin-api package with FastAPI + auth', 'auth'],
  ['critical', 'Add a login endpoint', 'auth'],
  ['critical', 'Implement OAuthProvider', 'auth'],
  ['critical', 'Reset forgotten passwords', 'auth'],
  ['critical', 'Issue refresh tokens', 'auth'],
  ['critical', 'Let users sign in with SAML', 'auth'],
  ['critical', 'Check auth_token on every request', 'auth'],
  ['critical', 'Create database schema migration', 'schema'],
  ['critical', 'Add token_usage table to SessionStore', 'schema'],
  ['critical', 'Implement session store (SQLite)', 'schema'],
  ['critical', 'Migrate existing user records', 'schema'],
  ['critical', 'Drop the legacy_orders table', 'schema'],
  ['critical', 'Charge customers through Stripe', 'billing'],
  ['critical', 'Track token costs per user', 'billing'],
  ['critical', 'Cost tracking dashboard', 'billing'],
  ['critical', 'Refund cancelled orders', 'billing'],
  ['critical', 'Rotate API keys', 'secrets'],
  ['critical', 'Store credentials in the keychain', 'secrets'],
  ['critical', 'Fix XSS in comment rendering'],
  ['critical', 'Prevent SQL injection in search'],
  ['critical', 'Encrypt backups'],
  ['critical', 'Delete all user data older than 7 years every night'],
  ['critical', 'Purge inactive customer records'],
  ['critical', 'Anonymise personal data of closed accounts'],
  ['critical', 'Add a Dockerfile for the worker'],
  ['critical', 'Deploy to Kubernetes'],
  ['critical', 'GitHub Actions for pull requests'],
  ['critical', 'Publish the OpenAPI document'],
  ['critical', 'Version the public API'],
  ['critical', 'Guard against data loss on shutdown'],
  ['critical', 'Verify the JWT of each request', 'auth'],
  ['critical', 'Let authors log in', 'auth'],
  ['critical', 'Verify that login still works', 'auth'],
  ['critical', 'Rename a field without a migration', 'schema'],
  ['critical', 'Migrate buttons to the new design system', 'schema'],
  ['critical', 'Low-cost rendering of long lists', 'billing'],
  ['normal', 'Add email verification'],
  ['normal', 'Final verification'],
  ['normal', 'Run full test suite'],
  ['normal', 'Design tokens for the dark theme'],
  ['normal', 'Show token usage in the status line'],
  ['normal', 'CSS tokens and spacing scale'],
  ['normal', 'Count tokens in prompts'],
  ['normal', 'Show the author of a post'],
  ['normal', 'Authoring tools for practices'],
  ['normal', 'Restore the session after a crash'],
  ['normal', 'Session list in the sidebar'],
  ['normal', 'Dashboard API endpoint'],
  ['normal', 'Users, Messages, Moods API endpoints'],
  ['normal', 'Add pricing table component'],
  ['normal', 'Render a table of contents'],
  ['normal', 'Sortable columns in the grid view'],
  ['normal', 'Switch branches with git checkout'],
  ['normal', 'Dependency injection for the store'],
  ['normal', 'Striped rows in tables'],
  ['normal', 'Container component for the sidebar'],
  ['normal', 'Add workflow agent'],
  ['normal', 'Event subscriptions'],
  ['normal', 'Keyboard shortcuts: Cmd+G'],
  ['normal', 'Implement use_skill Tool'],
  ['normal', 'Extract Frontmatter Parsing'],
  ['normal', 'Slugify titles'],
  ['normal', 'Import contacts from CSV'],
  ['low', 'Refactor the parser'],
  ['low', 'Rename Widget to Panel'],
  ['low', 'Fix typos in the welcome screen'],
  ['low', 'Update Main README'],
  ['low', 'Update Release Notes'],
  ['low', 'Clean up dead code'],
]

const PATHS: [tier: Tier, paths: readonly string[], flag?: SecurityFlag][] = [
  ['critical', ['src/auth/login.ts'], 'auth'],
  ['critical', ['src/components/LoginPage.tsx'], 'auth'],
  ['critical', ['packages/api/src/AuthMiddleware.ts'], 'auth'],
  ['critical', ['db/migrations/003_users.py'], 'schema'],
  ['critical', ['prisma/schema.prisma'], 'schema'],
  ['critical', ['src/queries/users.sql'], 'schema'],
  ['critical', ['src/billing/plan.rb'], 'billing'],
  ['critical', ['src/checkout/cart.ts'], 'billing'],
  ['critical', ['.env.production'], 'secrets'],
  ['critical', ['certs/server.pem'], 'secrets'],
  ['critical', ['.github/workflows/ci.yml']],
  ['critical', ['Dockerfile']],
  ['critical', ['infra/main.tf']],
  ['critical', ['k8s/web.yaml']],
  ['critical', ['docker-compose.dev.yml']],
  ['critical', ['api/openapi.yaml']],
  ['critical', ['include/solver/grid.hpp']],
  ['normal', ['src/author/profile.ts']],
  ['normal', ['src/authoring.ts']],
  ['normal', ['src/git/checkout.ts']],
  ['normal', ['src/tokens.ts']],
  ['normal', ['src/session_store.py']],
  ['normal', ['src/components/charts/MoodChart.tsx']],
  ['normal', ['src/slug.js', 'test/slug.test.js']],
  ['low', ['docs/auth.md']],
  ['low', ['README.md', 'docs/guide.md']],
  ['low', ['test/auth.test.js']],
  ['low', ['.gitignore']],
  ['low', ['src/theme/button.css', 'assets/logo.svg']],
  ['low', ['package-lock.json']],
]

describe('tier of a task', () => {
  it.each(TITLES)('is %s for the title "%s"', (tier, title, flag) => {
    const verdict = classify({ title })
    expect(verdict, verdict.reasons.join()).toMatchObject({ tier, flags: flag === undefined ? [] : [flag] })
  })

  it.each(PATHS)('is %s for %j', (tier, paths, flag) => {
    const expected = { tier, flags: flag === undefined ? [] : [flag] }
    expect(tierOfPaths(paths)).toMatchObject(expected)
    expect(classify({ paths })).toMatchObject(expected)
  })

  it('comes with its reason and evidence', () => {
    expect(classify({ paths: ['src/auth/login.ts'] }).reasons).toEqual(['touches auth: src/auth/login.ts'])
    expect(classify({ title: 'Write the migration' }).reasons).toEqual(['title mentions migration'])
    expect(classify({ paths: ['README.md'] }).reasons).toEqual(['changes only docs'])
  })

  it('is only ever raised above the author’s', () => {
    const raised = classify({ tier: 'low', paths: ['src/auth/login.ts'] })
    expect(raised).toMatchObject({ tier: 'critical', flags: ['auth'] })
    expect(raised.reasons[0]).toBe('raised from low')
    expect(classify({ tier: 'critical', paths: ['README.md'] }).tier).toBe('critical')
    expect(classify({ tier: 'low', paths: ['src/feature.ts'] }).tier).toBe('low')
  })

  it('is critical for every security flag and for a breaking change', () => {
    for (const flag of ['auth', 'schema', 'billing', 'secrets'] as const) {
      expect(classify({ flags: [flag] })).toMatchObject({ tier: 'critical', flags: [flag] })
    }
    expect(classify({ breakingChange: true }).tier).toBe('critical')
  })

  it('leaves documentation of auth low', () => {
    expect(classify({ title: 'Update the guide to passwords', paths: ['docs/guide.md'] }).tier).toBe('low')
  })

  it('is critical for a title that changes something risky in a document', () => {
    expect(classify({ title: 'Change the auth policy', paths: ['POLICY.md'] }).tier).toBe('critical')
    expect(classify({ title: 'Document the auth flow', paths: ['docs/auth.md'] }).tier).toBe('low')
  })
})

describe('a source of a migration framework', () => {
  const path = 'django/db/migrations/optimizer.py'

  it('is no migration, whether the files or the title name it', () => {
    const title = `Keep the order in ${path}`
    const verdict = classify({ title, paths: [path], notMigrations: [path] })
    expect(verdict).toMatchObject({ tier: 'normal', flags: [] })
  })

  it('hides no migration that the words beside it speak of', () => {
    const title = `Add a migration and change ${path}`
    expect(classify({ title, paths: [path], notMigrations: [path] }).tier).toBe('critical')
    expect(classify({ title, paths: [path] }).tier).toBe('critical')
  })
})
