/**
 * How large the things are that people ask for. A step is 0 for one line, 1 for one file, 2 for several files, 3 for a
 * change of the architecture. What a request changes counts, not where: "a toggle on the settings page" is a toggle.
 */

import { any } from './evidence.ts'

export type Step = 0 | 1 | 2 | 3

interface SizeRow {
  readonly step: Step
  readonly pattern: RegExp
}

/** A change of the architecture, whatever it is called. */
export const ARCHITECTURE = any(
  're-?writ(e|ing|ten)( of)?',
  're-?architect\\w*',
  're-?platform\\w*',
  'architecture',
  '(migrat(e|es|ing|ion)|port|convert|move|switch|replace|umstell(en|ung))\\b.{0,60}\\b(to|from|off|into|onto|with|by|auf) (?!\\w+\\.\\w)(typescript|python 3|rust|go|kotlin|swift|react|vue|svelte|angular|next(\\.?js)?|postgres(ql)?|mysql|mongo(db)?|dynamo(db)?|kafka|graphql|grpc|micro ?services|kubernetes|aws|gcp|azure|serverless|monorepo|server components|the cloud|a new (framework|database|platform|stack))',
  'split (the |our )?(\\w+ ){0,3}(monolith|app|application|codebase) (in)?to',
  '(break|carve|pull) (up |apart )?the (\\w+ ){0,2}monolith( apart)?',
  'micro ?services?',
  'event[- ]sourc\\w+',
  'multi[- ]?tenan(t|cy)\\w*|mandanten\\w*',
  'multi[- ]region|(several|multiple|mehreren|three|two) (regions|regionen)|data residency|fail ?over',
  '(plugin|extension|permission|billing|payment|recommendation|workflow|rules?|collaboration|sync|storage|query|rendering) (system|engine|platform|framework|architecture)',
  'plugin api',
  '(single|one) sign[- ]on|sso|saml|oidc everywhere|identity provider',
  'marketplaces?',
  '(real[- ]?time|google[- ]docs[- ]style|live) (collaborat\\w+|co-?editing)|collaborative editing',
  'offline[- ]first|offline (mode|edits|sync)',
  '(end[- ]to[- ]end|e2e) encryption',
  'distributed (tracing|system|cache|store|database)|sharding|replication|leader[- ]elect\\w*|horizontal(ly)? scal\\w+|high availability',
  'white[- ]?label\\w*',
  '(one|a|own) (database|schema|instance|deployment)? ?per (tenant|customer|region|organi[sz]ation)',
  '(the|our|this|a) monolith',
  'offline (work|use|support|editing|access)',
  'role[- ]?based access( control)?|rbac|custom roles|policies and',
  'developer portal|partner portal|sdks',
  'conflict resolution',
  'third[- ]party (plugins|extensions|developers|apps|modules)',
  'port the (\\w+ )?(app|application|client|game|program|engine)',
  'live collaboration',
  'split (our|the) (repository|repo|code ?base|application)',
  'everything to (aws|azure|gcp|the cloud|kubernetes)',
  'event[- ]driven|cqrs|domain[- ]driven|hexagonal|micro ?front ?ends?|service mesh|api gateway',
  '(from|away from) \\w+ to (typescript|graphql|grpc|rust|go|kotlin|swift|postgres\\w*|kafka|kubernetes|react|vue|svelte)',
  '(native|mobile|desktop|ios|android) (app|client|version)s?( for)?',
  '(sync|work)(s|ing)? (across|between) (all )?(my |our |their )?(devices|machines|clients)',
  'multi[- ](user|currency|account|organi[sz]ation|language|cloud|cluster|database)( support)?',
  '(replace|swap|rip out|get rid of|retire) (the |our )?(\\w+ ){0,3}(framework|orm|database|auth( system| provider)?|build system|message (bus|broker|queue)|monolith|storage( layer| engine)?|router|state management|back ?end|front ?end|renderer|scheduler)',
  '(new|own|custom) (query language|dsl|storage engine|scheduler|rendering (engine|pipeline)|type system|template engine|build system)',
  'gdpr( compliance)?|hipaa|soc ?2|pci( dss)?',
  'video (calls?|conferenc\\w+)|voice calls',
  '(separate|split|extract) .{0,40} into (its|their|a) own (service|repository|repo|process|package)s?',
  '(every|each|all|across) (of )?(the |our )?(\\w+ )?(services|layers?|clients|tables|regions|teams|products?|back ?ends|tenants)',
  'without (any |long )?down ?time|zero[- ]downtime|no (long )?down ?time',
  'by design, not',
  'whole (app|application|code ?base|system|product)|entire (app|application|code ?base|system|product)|gesamte[nrs]? (anwendung|system)',
)

/** Verbs of a change in one place, whatever the thing is that they are done to. */
export const SMALL_VERB = any(
  'show|hide|sort|remember|limit|log|validate|highlight|trim|format|round|disable|enable|warn|confirm|focus|skip|ignore|accept|print|return|escape|retry|debounce|refuse|reject|rename|reorder|align|truncate|collapse|expand|preselect|autofocus|prefill|default|clamp|lowercase|capitali[sz]e',
)

/** A change of one line: a value, a word, a name. */
export const ONE_LINE = any(
  'typos?',
  'typo ?fout(en)?|typefout(en)?',
  'misspell\\w*|misspelt|mis-?spelled',
  'spelling|spelled|rechtschreibfehler|schreibfehler',
  'tippfehler',
  'faute (de frappe|d.orthographe)|coquille',
  'errata?|error tipográfico|errores? ortográficos?|erro de digitação|refuso|errore di battitura',
  'опечатк\\p{L}*',
  'skrivfel|stavfel|literówk\\p{L}*',
  'punctuation|white ?space|trailing (space|newline|comma)s?',
  'one[- ]liner?|(one|single)[- ](line|character|char)( change| fix)?|one variable',
  'missing (a |an |the )?(comma|semicolon|bracket|quote|letter|dot|slash|n|s|e)',
  '(broken|dead|wrong|outdated) (link|url)s?|link .{0,40}\\b(404|dead|broken)|is a 404',
  'copyright (year|notice|date)',
  'z-index',
  'default (port|timeout|value|log level|locale|language|page size|number|limit)',
  'log ?level',
  '\\.?git ?ignore|\\.nvmrc|\\.editorconfig|\\.env\\.example|\\.tool-versions|\\.python-version',
  'ci matrix',
  'console\\.log|debug print|print statement',
  'favicon',
  'meta description|page title|browser tab',
  'missing (await|return|break|import|null check|closing (tag|bracket|brace|quote)|parenthes[ie]s|negation|semi ?colon|space|period|full stop|apostrophe|hyphen|article)',
  '(unused|stray|leftover|commented[- ]out|duplicate|redundant|extra) (import|variable|line|word|comma|space|code|log|semicolon|console\\.log|slash|character|bracket)s?',
  '(old|wrong|outdated|incorrect) (e-?mail( address)?|phone( number)?|address|name|logo|icon|year|date|price|version( number)?|link|url|label|title|heading|caption|colou?r|unit|currency|constant|import|path|port)',
  '(wrong|swapped|inverted|missing) (operator|comparison|sign|argument|arguments|condition|variable|parameter|flag|key)',
  '(uses?|used|has|with) (==?|===|=|<=?|>=?|&&|\\|\\|) instead of',
  'alt (text|attribute)',
  'font[- ]?size|background colou?r|text colou?r|button colou?r|line height',
  'strict mode|debug (mode|flag)',
  'licen[cs]e (header|year|badge)|badge in the readme',
  'max(imum)? (upload|file|request|page|body) size|page size|batch size|pool size|cache size|ttl',
  'plural(s|i[sz]ation)?',
  'hard[- ]?coded( in)?',
  'links?\\b.{0,40}\\b(points|goes|leads) to',
  'is called \\S+ (and )?not \\S+',
  'just (set|add|change|remove|flip|bump|rename|delete|swap|return|call)',
  'import (statements?|order)',
  'standard(wert|sprache|port|einstellung)|valeur par défaut|valor por defecto|по умолчанию',
  '(red|blue|green|grey|gray|black|white|yellow|orange|purple|bold|bigger|larger|smaller|wider|darker|lighter) (instead of|rather than|than) ',
  '(pixels?|px) (larger|smaller|wider|higher|to the (left|right))',
  '(condition|check|sort order|order|logic|flag|boolean) (is )?(inverted|reversed|backwards|negated)|the wrong way (round|around)',
  'forgot(ten)? to \\w+|copy[- ]paste (error|mistake)|not (awaited|exported)|never awaited',
  '(http )?status code',
  '(lang|rel|target|type|href|src|alt|name|id|role|aria-\\w+) attribute',
  '(sentence|note|line|link|badge|section heading|word) (to|in) the readme',
  'engines field|tsconfig|package\\.json|dependabot|codeowners',
  'package\\.json (version|name|description|keywords)|(version|name|description|keywords) in package\\.json',
  '(should|to) (say|read) ["“„\'`]',
)
export const ONE_LINE_ASIAN =
  /(?:默认|端口|标题|颜色|文案|文言|タイトル|色|デフォルト|기본값|문구|색상).{0,30}(?:改为|改成|変更|変え|바꿔|변경)|错别字|拼写|誤字|脱字|タイポ|오타/u

/** The new value stands in the request: nothing is left to find out. */
export const GIVEN_VALUE: readonly RegExp[] = [
  /\b(?:line|zeile|ligne|línea|linha)\s+\d+/i,
  /(?<!\w)s\/[^/\s]{1,60}\/[^/]{0,60}\//,
  /["“„«'`][^"”“«»'`\n]{1,60}["”“»'`]\s*(?:,? ?(?:should|must|needs to|has to) (?:be|read|say)|statt|instead of|au lieu de|en vez de|en lugar de|→|->|moet|invece di|вместо)\s*(?:be )?["“„«'`]/i,
  /\b(?:from|von|de|da|z|с)\s+["'`]?[\w.#%-]{1,20}["'`]?\s+(?:to|auf|à|a|para|na|до|на)\s+["'`]?[\w.#%-]{0,10}\d[\w.#%-]{0,10}["'`]?(?=[\s.,;!?)]|$)/i,
  /(?:should|must|needs to|has to) be (?:above |below |at least |set to )?[#\d][\w#.%]*/i,
  /\bit'?s \d[\d.,]*\s?%|\bwe still (?:charge|use|have|say) /i,
  /#[0-9a-f]{3,8}\b.{0,30}\binstead of\b/i,
  /\b(?:instead of|rather than)\s+(?:`[^`\n]{1,40}`|-\w+|#?[0-9a-f]{3,8}\b|\d[\w.]*)/i,
  /\bi think you (?:wanted|meant)\b/i,
  /\b(?:says|reads|spells|dice|dit|sagt|heißt) ["“„«'`]\p{L}+["”“»'`][.!]?$/iu,
  /\bshould be \S*[\d(]\S*/i,
  /\b(?:make it|have it be|port be) \d+\b/i,
  /^(?:please )?(?:set|turn|move|export|rename|change|capitali[sz]e|bump|pin|upgrade(?! from)|raise|lower)(?:\s+\S+){1,9}[.!]?$(?<!\b(?:all|every|everything|everywhere|service|system|page|module|aws|cloud|kubernetes)\b.*)/i,
  /^make (?:\S+\s+){1,3}use \S+(?: \S+)?$/i,
  /\b(?:says?|still|shows?|dice|dit|sagt|steht)\b.{0,20}\b(?:19|20)\d\d\b/i,
  /^(?:\S+\s+){0,14}\S*#(?:0{3,6}|\d{6}|(?=\d*[a-f])[0-9a-f]{3,8})\b/i,
  /["“„«'`][^"”“«»'`\n]{1,30}["”“»'`] (?:too many|is missing|is doubled|fehlt|manque|falta)/i,
  /\bshould be \S{1,20},? not \S{1,20}/i,
  /^(?:please )?make (?:the |all )?(?:\S+\s+){1,5}(?:bigger|larger|smaller|bold|darker|lighter|wider|narrower|red|blue|green|grey|gray|black|white|orange)\b/i,
  /^(?:please )?(?:add|put|append|include) (?:\S+\s+){1,5}(?:to|in|into) (?:the |our )?(?:\S+\s)?(?:allow-?list|white-?list|block-?list|keywords|authors|contributors|engines|matrix|exports|config|readme|\S+\.(?:json|ya?ml|toml|cfg|ini|md|conf|env|txt|xml))[.!]?$/i,
  /^(?:please )?(?:bump|pin|set|increase|decrease|raise|lower|reduce|turn (?:on|off)|rename|change|capitali[sz]e)\b(?:\s+\S+){1,9}\s+(?:to|from|=|by)\s+\S+(?:\s\S+)?[.!]?$/i,
  /^(?:please )?(?:remove|delete|drop) (?:the |this |that |an? )?(?:\S+\s+){0,3}(?:line|comment|word|import|log|print|semicolon|comma|space|badge|link|variable|constant|flag)\b/i,
  /(?:→|=>|->)\s*["'`]?[\w.#%]{1,30}["'`]?\s*$/,
  /\b(?:lacks|missing|without)\s+(?:an? |the )?(?:`[^`]{1,10}`|["'“][^"'”]{1,3}["'”])/i,
  /`[^`\n]{1,80}` (?:should|must) be `[^`\n]{1,80}`|assigns instead of compar/i,
]

/** A new number at the end of a tweak: "set the limit to 50 MB". */
export const TWEAKED_VALUE =
  /\b(?:to|auf|à|a|para|na|на|=)\s+["'`]?(?:v?\d[\w.]*|#[0-9a-f]{3,8}|true|false|null|on|off)["'`]?(?:\s?\S{1,12})?[.!]?$/i

/** Several places are touched, although the object of the sentence does not show it. */
export const SEVERAL_PLACES = any(
  '(get|gets|receive|receives|send|sends|sent) (\\w+ ){0,3}(e-?)?mails?',
  'notif(y|ies|ied)|push notifications?',
  'docker(ize|ise)?|ci (workflow|pipeline)|github actions',
  'replace \\S+ (by|with) \\S+',
  'and (in )?the (ui|tables?|pages?|views?|docs|api|mails?|clients?|admin( area)?|front ?end|back ?end|database)',
  'upgrad(e|ing) (from )?\\w+( \\w+)? v?\\d+(\\.\\d+)? to v?\\d+',
  'all (the |our )?(tests|callers|usages|imports|calls|places|occurrences|strings)',
  'multiple \\w+ (per|for each)',
  '(endpoint|route|api) and (an? |the )?(\\w+ )?(page|screen|view|form|ui)',
  '(switch|migrate|move|convert|port)\\b.{1,40}\\bfrom \\w+ to \\w+',
  'front ?end and back ?end|api and (ui|web|cli)|web and mobile',
  '(with|and) an? (entry|record|line) in the (log|audit log|history|database)',
)

/** Things to add or to change, by size; the head of a phrase decides. */
export const THINGS: readonly SizeRow[] = [
  {
    step: 2,
    pattern: any(
      '(?:sub ?)?systems?|engines?|frameworks?|services?',
      'screens?|dashboards?|wizards?|modules?|integrations?',
      '(full[- ]text )?search( for| with)?|full[- ]text search',
      'notifications?|digests?|newsletters?|reminders?',
      'web ?hooks?',
      'cach(e|es|ing)( layer)?',
      'rate[- ]?limit\\w*',
      'drag([- ]and[- ]| & )drop|drag to reorder',
      'queues?|back ?ground jobs?|schedulers?',
      'o?auth2?( login)?|log-?in|sign[- ]?up|registration|password reset|two[- ]factor( authentication)?|2fa|mfa|access tokens',
      'crud',
      'rest api|graphql( api)?|public api',
      'sub ?commands?',
      'analytics|reports|statistics|charts',
      'comments|tagging|favou?rites|bookmarks|ratings|reviews|likes|receipts|invitations?|waiting list|inventory',
      'calendar|map view|kanban( board)?|timeline|gallery|editor|player',
      'dark (mode|theme)|theming|themes',
      'undo( and |/)redo|version history|history',
      'user (profiles?|accounts?)|profile picture|avatars?|uploads?',
      'onboarding|roles|permissions|policies',
      'web ?sockets?|sse|streaming',
      'test suite|integration tests?|e2e tests?|end[- ]to[- ]end tests?',
      'bulk (actions?|edit|operations?|import|export|upload)|batch \\w+',
      'translations?|locali[sz]ation|i18n|internationali[sz]ation|languages',
      'accessib\\w+|a11y|keyboard and screen reader|screen readers?',
      'open ?api|api reference|docs site|documentation site',
      'import(ing|s)?|export(s|ing)?|sync(ing|hroni[sz]ation)?',
      'subscriptions?|payments?|billing|checkout|invoices?',
      'shared (base|module|library|package)|common (base|module)',
      'benachrichtigung(en)?|suchfunktion|anmeldung|registrierung|einladung(en)?|buchung(en)?|mehrsprachig\\w*',
      'recherche|connexion|inscription|búsqueda|inicio de sesión|busca|notificaciones|notifiche|ricerca|nota fiscal|поиск|авториз\\p{L}*|регистрац\\p{L}*|уведомлен\\p{L}*|приглаш\\p{L}*|wyszukiw\\p{L}*|powiadomie\\p{L}*|zoekfunctie|meldingen',
    ),
  },
  {
    step: 2,
    pattern:
      /搜索|登录|登錄|通知|导出|导入|批量|接口|検索|ログイン|エクスポート|インポート|一括|검색|로그인|알림|내보내기/u,
  },
  {
    step: 1,
    pattern: any(
      'box(es)?|forms?|list|table|card',
      'buttons?|toggles?|switch(es)?|check ?box(es)?|radio|dropdowns?|select box|menu( item| entry)?s?|tabs?|badges?|banners?|modals?|dialogs?|spinners?|loaders?|tool ?bars?|side ?bar|footer|header|breadcrumbs?|tool ?tips?',
      'flags?|options?|arguments?|parameters?|env(ironment)? var(iable)?s?|settings?|preferences?|exclude patterns?',
      'fields?|columns?|inputs?|propert(y|ies)|attributes?|props?',
      'endpoint|route|handler|health ?(check|z)?',
      'validation|validators?|saniti[sz]ation|checks?',
      'functions?|methods?|helpers?|hooks?|utilit(y|ies)|class|getter|decorators?|middleware',
      'log(s|ging)?( messages?| lines?| output)?|warnings?|error messages?|messages?',
      '(unit )?tests?( cases?)?|fixtures?',
      'short ?cuts?|hot ?keys?|key ?bindings?|focus',
      'sort(ed|ing|able)?|order(ing|ed)?|filters?|filtering|pagination',
      'retr(y|ies)|timeouts?|back ?off|debounce|throttle',
      'formats?|formatting|formatter',
      'time ?zones?|dates?|timestamps?',
      'index(es)?',
      'doc ?strings?|docs?|documentation|examples?|section|guide|change ?log|usage|page',
      'script|config(uration)?|pre-commit',
      'summary|helper|headers?|rows?',
      'knopf|schalter|schaltfläche|feld|spalte|bouton|champ|colonne|filtre|botón|campo|columna|filtro|botão|coluna|кнопк\\p{L}*|пол(е|я)|фильтр\\p{L}*|knop|veld|przycisk\\p{L}*|pole|kolumn\\p{L}*|knapp',
    ),
  },
  { step: 1, pattern: /按钮|按鈕|字段|开关|列を|ボタン|フィールド|トグル|버튼|필드|토글/u },
  {
    step: 0,
    pattern: any(
      'labels?|captions?|place ?holders?|wording|copy|texts?|strings?|titles?|headings?|headlines?',
      'colou?rs?|icons?|logos?|margins?|paddings?|font( size)?s?|border|spacing|background',
      'constants?|defaults?|limits?|version( number)?s?|year',
      'links?|urls?|alt texts?',
      'readme|licen[cs]e',
      'farbe|beschriftung|überschrift|couleur|texte|titre|texto|título|colore|testo|titolo|текст|цвет|заголов\\p{L}*|domyśln\\p{L}*|standaard\\w*',
    ),
  },
  { step: 0, pattern: /标题|颜色|文字|文案|默认|タイトル|文言|色を|デフォルト|제목|색상|문구|기본값/u },
]

/** Verbs that only turn a value: with a small thing they are one line. */
export const TWEAK =
  /^(?:fix|correct|change|update|bump|rename|set|increase|decrease|reduce|raise|lower|adjust|tweak|replace|remove|delete|drop|hide|make|use|switch|turn|swap|pin|move|align|cent(?:er|re)|capitali[sz]e|lowercase|uppercase|reword|rephrase|shorten|ändere?|korrigiere?|setze?|change[rz]?|corrige[rz]?|cambi[ae]|corrige|altere?|mude|troque|поменя\p{L}*|измени\p{L}*|исправ\p{L}*|zmień|popraw|wijzig|verander|ändra|byt)(?![\p{L}])/iu

/** What the author says about the size. */
export const SMALLER = any(
  'just (one|the) \\w+',
  'only (the|one|this) \\w+',
  'the only place',
  'everything needed is in',
  'no change in behaviou?r',
  'nothing else (changes|needs to change)',
  '(in|within) one (file|place|function)',
)
/** Counts in the title alone: elsewhere such words are about something else, or are there to mislead. */
export const SMALL_TITLE = any(
  'tiny',
  'quick(ly)?',
  'small',
  'minor',
  'little',
  'simple',
  'just an? \\w+',
  'one[- ]off',
  'slight(ly)?',
  'kleine[rsnm]?',
  'petite?s?',
  'pequeñ[oa]',
  'pequen[oa]',
  'piccol[oa]',
  'небольш\\p{L}*',
  'mał[ya]',
)
export const LARGER = any(
  'every ?where',
  'across (the |all |our |every )?(\\w+ )?(app|application|code ?base|site|project|pages|modules|services|packages|components|files|endpoints|api|system|product|board)',
  'all (of )?(the |our |your |its )?(\\w+ )?(pages|screens|endpoints|modules|services|components|commands|routes|handlers|forms|models|tables|controllers|packages|views|apis|clients)',
  'all (three|four|five|six|seven|of them|their data)',
  'every (\\w+ )?(page|screen|endpoint|module|service|component|command|route|handler|form|model|table|request|error|training run|layer)',
  'through ?out',
  'end[- ]to[- ]end',
  'full[- ]stack',
  'several',
  'various',
  'überall',
  'partout',
  'везде',
  'comprehensive',
  'overhaul',
  'and fix what breaks',
  '(two|three|four|five|six|seven|ten|\\d+) (steps|screens|components|modules|services|pages|commands|places|files)',
  'the three use',
)
/** What makes a fault hard to find or wide to mend. */
export const HARD = any(
  'races?( conditions?| between| with)',
  'all (are )?affected|are all affected',
  'dead ?locks?',
  'at the same (time|moment)|two (people|users|customers|clients|requests|tabs|processes)|simultaneous\\w*|concurren(t|cy)\\w*|in parallel',
  'intermittent(ly)?',
  'sporadic(ally)?',
  'once a week',
  'randomly',
  'under (heavy )?load',
  'data (loss|corruption)',
  'silently (lose|drop)s?\\w*',
  '(lose|loses|lost|losing) (rows|data|notes|messages|updates|events)',
  'n\\+1',
  'several things',
  'after the upgrade to',
  'keep (receiving|running|working)',
  'leaves? (its|their|behind)',
  'leftovers',
  'twice',
  'дважды|иногда',
  'manchmal',
  'parfois',
  'a veces',
)
/** A fault of the foundations. */
export const DEEP = any(
  '(in |across )?every (table|layer|api|service|endpoint|export)',
  'all \\d* ?(tables|services|clients|three clients|layers)',
  'protocol',
  'in the (whole )?system',
  'by design',
  'for good',
  'years of data',
  're-?encrypt\\w*',
  'global (variable|state)',
  'nonces?',
  '(two|several|three) services',
  'no transaction',
  'end to end',
  'tenants?',
  'old clients',
)
