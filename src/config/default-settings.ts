/**
 * The settings of an empty bosun.yaml. The bundle holds this value itself instead of the schema that makes it
 * (scripts/bundle.ts): building the schema takes longer than Node takes to start (bench/cold-start).
 */
import { defaultSettings, type Settings } from '../core/settings/settings.ts'

export const DEFAULT_SETTINGS: Settings = defaultSettings()
