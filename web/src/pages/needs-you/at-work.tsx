/** Who works on what, the worst health first: enough to know whether anything goes on. */
import { Link } from '@tanstack/react-router'
import type { SnapshotAnswer } from '../../../../src/protocol/snapshot.ts'
import { TaskLink } from '../../shell/links.tsx'
import { sentence } from '../../ui/format.ts'
import { List, Row, Section } from '../../ui/list.tsx'
import { HealthMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { healthRank, isHealthy } from '../../ui/signs.ts'
import { visibleText } from '../../ui/visible-text.ts'

const MOST = 6

export function AtWork({ workers }: { readonly workers: SnapshotAnswer['workers'] }) {
  const worst = workers.toSorted((a, b) => healthRank(a.health) - healthRank(b.health)).slice(0, MOST)
  return (
    <Section
      title="At work"
      count={workers.length}
      actions={
        <Link to="/workers" className="text-xs text-muted hover:text-text">
          All workers
        </Link>
      }
    >
      {worst.length === 0 ? (
        <p className="text-sm text-muted">No workers are running.</p>
      ) : (
        <List>
          {worst.map((worker) => (
            <Row key={worker.id} className="items-start">
              <div className="flex min-w-0 flex-1 flex-col">
                <div className="flex items-center gap-2">
                  <HealthMark health={worker.health} />
                  {worker.plan !== null && worker.task !== null && (
                    <TaskLink
                      plan={worker.plan}
                      task={worker.task}
                      repo={worker.repo}
                      className="ml-auto text-xs text-muted hover:text-text"
                    >
                      Task {visibleText(worker.task)}
                    </TaskLink>
                  )}
                </div>
                {typeof worker.task_title === 'string' && (
                  <PlainText text={worker.task_title} className="truncate text-sm" />
                )}
                <PlainText
                  text={sentence(
                    isHealthy(worker.health) ? (worker.current_step ?? worker.reason) : worker.reason,
                  )}
                  className="line-clamp-2 text-xs text-muted"
                />
              </div>
            </Row>
          ))}
        </List>
      )}
    </Section>
  )
}
