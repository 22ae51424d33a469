import { expect, test } from 'vitest'
import { isNoMigration, migrationsAmong } from './migrations.ts'

test.each([
  [
    'shop/migrations/0002_price.py',
    'from django.db import migrations\n\nclass Migration(migrations.Migration):\n    pass\n',
  ],
  ['shop/migrations/split.py', 'from shop.db import Checked\n\nclass Migration(Checked):\n    pass\n'],
  ['alembic/versions/3f2a_price.py', "revision = '3f2a'\n\ndef upgrade():\n    op.execute('…')\n"],
  [
    'db/migrate/20260101_add_price.rb',
    'class AddPrice < ActiveRecord::Migration[7.1]\n  def change\n  end\nend\n',
  ],
  ['db/migrations/001_price.rb', 'Sequel.migration do\n  up { run SQL }\nend\n'],
  ['migrations/20260101_price.js', 'exports.up = (knex) => knex.raw(sql)\n'],
  ['migrations/20260101_price.ts', 'export async function up(db: Kysely<any>): Promise<void> {\n}\n'],
  ['src/migrations/1700-price.ts', 'export class Price1700 implements MigrationInterface {\n}\n'],
  ['migrations/20260101-price.js', 'module.exports = {\n  async up(query) {\n  },\n}\n'],
  ['database/migrations/2026_price.php', '<?php\nreturn new class extends Migration\n{\n}\n'],
  ['src/Migrations/2026_Price.cs', 'public partial class Price : Migration\n{\n}\n'],
  ['migrations/00001_price.go', 'func init() {\n\tgoose.AddMigrationContext(upPrice, downPrice)\n}\n'],
  ['src/store/migrations.ts', 'await db.schema.createTable("price")\n'],
  ['db/migrations/1_price.sql', '-- more\n'],
  ['db/migrations/1_price.xml', '<changeSet/>\n'],
  ['prisma/migrations/lock.toml', 'provider = "sqlite"\n'],
])('%s may be a migration', (path, text) => {
  expect(isNoMigration(path, text)).toBe(false)
})

test.each([
  [
    'django/db/migrations/optimizer.py',
    'class MigrationOptimizer:\n    def optimize(self, operations):\n        return operations\n',
  ],
  [
    'django/db/migrations/executor.py',
    'class MigrationExecutor:\n    def migrate(self, targets, plan=None):\n        return plan\n',
  ],
  ['django/db/migrations/exceptions.py', 'class InvalidMigrationPlan(ValueError):\n    pass\n'],
  ['lib/migrations/list.js', 'export const names = (folder) => readdirSync(folder).sort()\n'],
  ['src/migrations.ts', 'export const latest = (applied: string[]) => applied.at(-1)\n'],
])('%s is the source of a framework, not a migration', (path, text) => {
  expect(isNoMigration(path, text)).toBe(true)
})

test('a text that is not known may be a migration', () => {
  expect(isNoMigration('db/migrations/a.py', null)).toBe(false)
})

test('migrations are files in their folders, without those that hold none', () => {
  const paths = [
    'db/migrations/1.sql',
    'src/migrations/plan.js',
    'src/a.js',
    'db/migrate/1_a.rb',
    'src/migrations.ts',
  ]
  expect(migrationsAmong(paths, ['src/migrations/plan.js'])).toEqual([
    'db/migrations/1.sql',
    'db/migrate/1_a.rb',
  ])
})
