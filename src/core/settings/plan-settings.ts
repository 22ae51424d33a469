/** The settings that a plan keeps from its registration: later edits do not change them. */
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import { roleSetting, roleSettings } from './role-settings.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** `hasBrain`: there is one that judges failures and reviews low work. */
export function planSettings(
  settings: Settings,
  { hasBrain }: { readonly hasBrain: boolean } = { hasBrain: false },
): PlanSettings {
  const { pm, scheduling, review, watch, budgets } = settings
  return {
    maxParallelAgents: pm.max_parallel_agents,
    parallelTiers: scheduling.parallel_tiers,
    antiStarvationInterval: pm.anti_starvation_interval,
    maxWaitingForReview: scheduling.max_waiting_for_review,
    fixAttempts: pm.retry_budget,
    reworks: review.max_iterations,
    approval: settings.approval,
    reportEveryTasks: pm.progress_report_task_interval,
    reportEveryMs: pm.progress_report_time_interval_min * 60_000,
    stalledMs: watch.stalled,
    terminateAtPercent: watch.terminate_at,
    watch: {
      mode: watch.mode,
      loopMs: watch.loop,
      firstCheckinMs: watch.first_checkin,
      lateMs: watch.late,
      silenceMs: watch.silence,
      noProgressMs: watch.no_progress,
      afterReportMs: watch.after_report,
      warnings: watch.warnings,
      toolWarnMs: watch.tool_warn,
      toolEndMs: watch.tool_end,
      specialistMs: watch.specialist,
    },
    patchLimitFiles: pm.patch_size_limit_files,
    reviewLow: review.low,
    checkpointTags: pm.checkpoint_tags,
    budgets: {
      planUsd: budgets.plan_usd,
      taskUsd: budgets.task_usd,
      planTokens: budgets.plan_tokens,
      taskTokens: budgets.task_tokens,
    },
    ...(Object.keys(settings.prices).length === 0 ? {} : { prices: settings.prices }),
    ...(hasBrain ? { brainAssesses: true } : {}),
    ...(!hasBrain || review.low === 'checks' ? {} : { brainReviews: true }),
    ...(isReviewedByRules(settings) ? { reviewByRules: true } : {}),
    ...(review.require_tests_pass ? {} : { wavesThroughOldFailures: true }),
    ...(review.skip_minor_in_feedback ? {} : { passMinor: true }),
    ...crewSettings(settings),
  }
}

/** Absent where the settings say nothing about it. */
function crewSettings({ roles, models }: Settings): Pick<PlanSettings, 'crew'> {
  const configured = roleSettings(roles)
  const isConfigured = Object.keys(configured).length > 0 || models.small !== null || models.large !== null
  return isConfigured ? { crew: { roles: { ...configured }, models } } : {}
}

/** The value of `roles.reviewer` that means no agent, unless an agent has that name. */
export const BY_RULES = 'rules'

const isReviewedByRules = ({ roles, agents }: Settings): boolean =>
  roleSetting(roles.reviewer).agent === BY_RULES && agents[BY_RULES] === undefined

export const defaultPlanSettings = (): PlanSettings => planSettings(defaultSettings())
