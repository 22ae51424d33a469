/**
 * Words that tell bugs, features and new projects apart. The first verb of a request says what its author wants
 * ("Add error handling" is no bug); the rest of the text only supports it.
 */

/** How a request may start: an imperative, or the same after a polite opening. */
export const OPENING =
  /^(?:\W*(?:hi|hello|hey|dear)\b[^,.!\n]{0,40}[,.!]\s*)?(?:(?:please|pls|kindly|just|also|could|can|would|should|you|we|i|i'd|we'd|i'll|want|wants|like|love|need|needs|have|must|let's|lets|let us|to|it|be|nice|great|good|if|quickly|quick|small|tiny|simple|minor|help|me|someone|somebody|todo:?|task:?|help)\s+)*/i

const WORDS_BUG =
  'fix|hotfix|bugfix|repair|debug|correct|resolve|patch|handle the crash|investigate|diagnose|troubleshoot|revert'
const WORDS_FEATURE =
  'add|rate limit|implement|create|build|make it possible|support|allow|enable|introduce|provide|offer|expose|integrate|extend|include|show|display|render|let|give|generate|export|import|write|develop|design|set up|setup|refactor|rename|remove|delete|drop|purge|erase|wipe|prune|archive|anonymi[sz]e|move|extract|split|merge|replace|rewrite|migrate|port|convert|upgrade|update|bump|improve|optimi[sz]e|speed up|clean up|cleanup|simplify|document|describe|translate|locali[sz]e|change|switch|turn|increase|decrease|reduce|adjust|tweak|configure|deprecate|redesign|restructure|reorgani[sz]e|modernize|use|print|log|sort|filter|cache|validate|encrypt|schedule|automate|test|cover|publish|package|release|deploy|track|store|save|sync|notify|send|upload|download|paginate|deduplicate|bring|put|swap|rework|harden|instrument|wire|hook|ship|prepare|scaffold|bootstrap|start|plan|explore|evaluate|make|throw|raise|reject|refuse|warn|accept|keep|remember|hide|highlight|skip|mark|group|limit|trim|round|escape|retry|abort|open|close|return|require|ensure|parse|detect|serve|expire|lock|preview|compress|truncate|format|pin|set|confirm|disable|collapse|pad|append|dockerize|expand|respect|read|autosave|prefill|tell|ask|inform|explain'

/** "Download button does nothing": the word is a noun, and a verb follows. */
const NOUN_USE =
  " (?:\\w+ ){0,2}(?:does|do|doesn'?t|don'?t|fails?|is|are|was|shows|returns|removes|ignores|crashes|breaks|hangs|stops|loses|disappears?|points|goes|takes|gives|ends|deletes|comes|keeps|still|never|always)\\b"

export const BUG_VERB = verb(WORDS_BUG)
export const FEATURE_VERB = verb(WORDS_FEATURE)

function verb(words: string): RegExp {
  // In records of data ("sync:x:4:") the word is a key.
  return new RegExp(`^(?:${words})(?![\\w-]|[:;|=]\\S| of\\b|${NOUN_USE})`, 'i')
}
