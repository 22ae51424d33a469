/** The spec of a project's set-up: what has to be there before its first feature is built. */
import type { Requirement, Spec } from '../../spec/spec.ts'
import type { BootstrapFacts } from '../turn.ts'
import { toolchainOf, type Toolchain } from './toolchains.ts'

/** Null where the project needs no set-up. */
export function bootstrapSpec(
  language: string,
  bootstrap: BootstrapFacts,
  { title, created }: Pick<Spec, 'title' | 'created'>,
): Spec | null {
  if (!bootstrap.needed) return null
  const tools = toolchainOf(language)
  const requirements = [project(tools, bootstrap), tests(tools), checks(tools), guide(tools)]
  return {
    version: '1.0',
    priority: 'must',
    created,
    title: `Set-up of ${title}`,
    vision: `A repository in which "${title}" can be built and tested, in ${tools.label}.`,
    inScope: requirements.map((one) => one.title),
    outOfScope: ['Features of the product', 'Publishing and deployment'],
    requirements,
    notes: [],
  }
}

const requirement = (
  number: number,
  given: Pick<Requirement, 'title' | 'type' | 'description' | 'criteria'>,
): Requirement => ({
  id: `R-00${number}`,
  priority: 'must',
  dependsOn: number === 1 ? [] : ['R-001'],
  line: 0,
  ...given,
})

function project({ label, manifest, ignored, build }: Toolchain, { missing }: BootstrapFacts): Requirement {
  return requirement(1, {
    title: `Set up the ${label} project`,
    type: 'infrastructure',
    description: `Create the smallest project in ${label} that can be installed${build === null ? '' : ' and built'}. Missing today: ${missing.map((part) => part.replace('_', ' ')).join(', ')}.`,
    criteria: [
      `${manifest} names the project and how to test and check it`,
      `.gitignore names ${ignored.join(', ')}`,
      ...(build === null ? [] : [`"${build.command}" exits with 0`]),
    ],
  })
}

const tests = ({ test }: Toolchain): Requirement =>
  requirement(2, {
    title: `Set up tests with ${test.name}`,
    type: 'infrastructure',
    description: `Set up ${test.name} with one test of the project's own code, so that every later task can add tests.`,
    criteria: [
      `"${test.command}" runs at least one test and exits with 0`,
      'A wrong expectation in that test makes the command exit with another code than 0',
    ],
  })

const checks = ({ lint }: Toolchain): Requirement =>
  requirement(3, {
    title: `Set up checks with ${lint.name}`,
    type: 'infrastructure',
    description: `Set up ${lint.name} with its recommended rules.`,
    criteria: [`"${lint.command}" exits with 0 and reports nothing`],
  })

const guide = ({ test, lint }: Toolchain): Requirement =>
  requirement(4, {
    title: 'Say how to work on it',
    type: 'documentation',
    description: 'A README for people who see the project for the first time.',
    criteria: [
      `README.md says how to install the project, and names "${test.command}" and "${lint.command}"`,
    ],
  })
