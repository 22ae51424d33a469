import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_PLAN_BYTES, readPlanFile, type PlanRequest } from './read-plan.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { Refusal } from '../../lib/refusal.ts'

const PLAN =
  '# Shop\n\n### Task 1: Add a cart\n\n**Files:**\n- Modify: `src/cart.ts`\n- Modify: `src/gone.ts`\n'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bosun-plan-')))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

function makeRepository(...paths: string[]): void {
  for (const path of paths) write(path, '')
  execFileSync('git', ['init', '-q'], { cwd: folder })
  if (paths.length > 0) execFileSync('git', ['add', ...paths], { cwd: folder })
}

function ask(path: string, options: Partial<PlanRequest> = {}) {
  return readPlanFile({
    path,
    cwd: folder,
    env: process.env,
    repository: null,
    settings: defaultSettings(),
    readInput: () => Promise.resolve(new TextEncoder().encode(PLAN)),
    ...options,
  })
}

async function refusalOf(path: string, options: Partial<PlanRequest> = {}) {
  const refused = await ask(path, options).catch((error: unknown) => error)
  if (!(refused instanceof Refusal)) throw new Error('it was not refused')
  return { code: refused.code, message: refused.message }
}

const messages = async (path: string, options: Partial<PlanRequest> = {}) =>
  (await ask(path, options)).plan.problems.map((problem) => problem.message)

describe('reading a plan', () => {
  it('takes a file for a migration by what it holds, not by its folder', async () => {
    const tierOf = async (path: string, content: string) => {
      makeRepository(path)
      write(path, content)
      write('shop-plan.md', `# Shop\n\n### Task 1: Speed it up\n\n**Files:**\n- Modify: \`${path}\`\n`)
      return (await ask('shop-plan.md', { repository: folder })).plan.tasks[0]?.tier
    }
    expect(await tierOf('db/migrations/plan.py', 'def plan(all):\n    return all\n')).toBe('normal')
    expect(await tierOf('db/migrations/a.py', 'class Migration(migrations.Migration):\n    pass\n')).toBe(
      'critical',
    )
    write('shop-plan.md', '# Shop\n\n### Task 1: Add it\n\n**Files:**\n- Create: `db/migrations/b.py`\n')
    expect((await ask('shop-plan.md', { repository: folder })).plan.tasks[0]?.tier).toBe('critical')
  })

  it('works without a repository, and then says nothing about files', async () => {
    write('shop-plan.md', PLAN)
    const { plan, figures, text } = await ask('shop-plan.md')
    expect(plan.header).toMatchObject({ id: 'shop', source: 'shop-plan.md' })
    expect(plan.problems).toEqual([])
    expect(figures.tasks).toBe(1)
    expect(text).toBe(PLAN)
  })

  it('warns of changed files that git does not track', async () => {
    makeRepository('src/cart.ts')
    write('docs/shop.md', PLAN)
    expect(await messages('docs/shop.md', { repository: folder })).toEqual([
      'task 1 changes src/gone.ts, which is not in the repository',
    ])
  })

  it('takes standard input', async () => {
    const { plan } = await ask('-')
    expect(plan.header).toMatchObject({ id: 'shop', source: '-' })
  })

  it('reads YAML, and Markdown with front matter', async () => {
    write('a.yaml', 'plan: todo\ntasks:\n  - { id: "1", title: Add slugify }\n')
    write('b.md', `---\nplan: basket\n---\n${PLAN}`)
    expect((await ask('a.yaml')).plan.header).toMatchObject({ id: 'todo', format: 'yaml' })
    expect((await ask('b.md')).plan.header.id).toBe('basket')
  })

  it('says when the plan lies outside the repository', async () => {
    makeRepository('repo/src/cart.ts')
    write('elsewhere/shop.md', PLAN)
    const found = await messages('../elsewhere/shop.md', {
      cwd: join(folder, 'repo'),
      repository: join(folder, 'repo'),
    })
    expect(found).toContain('the plan is outside this repository')
  })

  it('knows nothing of files where git cannot list them', async () => {
    write('shop.md', PLAN)
    expect(await messages('shop.md', { repository: folder })).toEqual([])
  })
})

describe('the design document', () => {
  it('is warned of where it is named and not there', async () => {
    write('shop.md', `# Shop\n\n**Design doc:** \`docs/shop-design.md\`\n\n${PLAN.slice(8)}`)
    expect(await messages('shop.md')).toEqual(['design document docs/shop-design.md not found'])
    write('docs/shop-design.md', '# Design')
    expect(await messages('shop.md')).toEqual([])
  })

  it('is the one beside the plan where none is named', async () => {
    write('docs/shop-plan.md', PLAN)
    write('docs/shop-design.md', '# Design')
    expect((await ask('docs/shop-plan.md')).plan.header.design).toBe('docs/shop-design.md')
  })

  it('is the one the user names', async () => {
    write('shop.md', PLAN)
    write('d.md', '# Design')
    expect((await ask('shop.md', { design: 'd.md' })).plan.header.design).toBe('d.md')
  })
})

describe('what is refused', () => {
  it('is a path where nothing is', async () => {
    expect(await refusalOf('no.md')).toEqual({ code: 'not_found', message: 'no such file: no.md' })
    write('a.md', PLAN)
    expect((await refusalOf('a.md/b.md')).code).toBe('not_found')
  })

  it('is a directory', async () => {
    write('docs/a.md', PLAN)
    expect(await refusalOf('docs')).toEqual({ code: 'usage', message: 'docs is a directory' })
  })

  it('is a file that is not text', async () => {
    write('a.md', Uint8Array.of(0x89, 0x50, 0, 1))
    write('b.md', Uint8Array.of(0xc3, 0x28))
    expect((await refusalOf('a.md')).message).toBe('a.md is not a text file')
    expect((await refusalOf('b.md')).message).toBe('b.md is not a text file')
  })

  it('is a file larger than 20 MB', async () => {
    write('a.md', new Uint8Array(MAX_PLAN_BYTES + 1).fill(0x61))
    expect(await refusalOf('a.md')).toEqual({ code: 'usage', message: 'a.md is larger than 20 MB' })
  })
})

describe('where documents lie', () => {
  it('is named from the root of the repository, wherever the command runs', async () => {
    makeRepository('src/cart.ts')
    write('docs/shop-plan.md', PLAN)
    write('docs/shop-design.md', '# Design\n')
    const asked = { repository: folder }
    const expected = { plan: 'docs/shop-plan.md', design: 'docs/shop-design.md' }
    expect((await ask('docs/shop-plan.md', asked)).inRepository).toEqual(expected)
    expect((await ask(join(folder, 'docs/shop-plan.md'), asked)).inRepository?.plan).toBe(expected.plan)
    const beside = await ask('shop-plan.md', { ...asked, cwd: join(folder, 'docs') })
    expect(beside.inRepository).toEqual(expected)
  })

  it('is absent for files outside', async () => {
    write('repo/a.ts', '')
    write('shop-plan.md', PLAN)
    const { inRepository } = await ask('shop-plan.md', { repository: join(folder, 'repo') })
    expect(inRepository).toEqual({ plan: undefined, design: undefined })
  })
})
