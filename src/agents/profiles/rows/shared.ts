/** What several rows have in common. */

/** Keys of model providers, for agents that work with any of them. */
export const PROVIDER_KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
]

/** Of agents that run as plain commands, which cannot ask, or that ask for nothing by default. */
export const NOT_ASKED = 'it runs commands without asking: what it may do is what your user may do'
