/** How large the programs are that people want made. */
import { any } from './evidence.ts'

/** A whole product of the kind that companies build. */
export const LARGE_PRODUCT = any(
  'platforms?',
  'plattform(en)?',
  'plateforme',
  'plataforma',
  'piattaforma',
  'платформ\\p{L}*',
  'saas',
  'erp',
  'crm',
  'market ?place',
  'competitor|alternative to \\w+|clone of (airbnb|uber|amazon|facebook|twitter|instagram|youtube|netflix|slack|shopify)',
  '(airbnb|uber|amazon|facebook|twitter|instagram|youtube|netflix|slack|shopify) clone',
  'operating system',
  '(programming|statically typed|typed|scripting) language',
  'compiler',
  'distributed',
  'database engine',
  'game engine',
  'social (network|media|platform)',
  '(hospital|bank(ing)?|insurance|airline|school|warehouse|fleet|supply chain|clinic|property|hotel) management( system| software)?',
  '(trading|exchange|payment|streaming|ticketing|e-?commerce|learning management|hospital|banking) (system|platform|service|network)',
  'super ?app|ecosystem|suite of',
  '(information|reservation|core banking|dispatch|logistics|election|inventory and \\w+) system',
  'open[- ]source alternative',
  '(with|and) (real[- ]?time )?(collaboration|multiplayer)\\b.{0,60}\\b(cloud|store|market\\w*)',
  'block ?chain|crypto exchange',
  'web browser|ide|hypervisor|kernel|sql database|search engine|cloud provider',
  'multi[- ]vendor|multi[- ]sided|two[- ]sided',
  '(replace|replacement for) our (\\w+ ){0,4}(erp|system|platform|main ?frame|suite)',
  'mobile apps? (for ios and android|and)',
  'multi[- ]?tenan(t|cy)\\w*|mandanten\\w*',
  'mmo\\w*|multi-?player',
  '(booking|reservation|management|information|accounting|billing|ordering) (system|software)',
)
/** A program of one file. */
export const SMALL_PRODUCT = any(
  'scripts?',
  'skript',
  'one[- ]file|single file|one file|eine[rm]? datei|un seul fichier|un solo archivo',
  'command called',
  '(single|one|a|static) (html |web ?|landing )?page',
  'function',
  'snippet',
  'macro',
  'makefile|dockerfile',
  'bookmarklet',
  'user ?script',
  'alias',
  'gist',
  'calculator|converter|rechner',
  'скрипт\\p{L}*',
)
/** Programs that have a screen, a server or data of their own, and what joins a second purpose to the first. */
export const SEVERAL_PARTS =
  /(?<![\p{L}])(?:apps?|web ?sites?|sites?|shops?|stores?|services?|servers?|systems?|portals?|dashboards?|trackers?|managers?|blogs?|games?|apis?|bots?|editors?|anwendung|webseite|aplicación|aplicativo|applicazione|application|приложени\p{L}*|сайт\p{L}*|with|and|mit|und|avec|et|con|com|и)(?![\p{L}])|[\p{Lo}]/iu
/** The program is called small, not its owner: "a small bakery" says nothing about its website. */
export const SMALL_PROGRAM = any(
  '(tiny|quick|small|minor|little|simple|minimal|kleine[rsnm]?|petite?s?|pequeñ[oa]|pequen[oa]|piccol[oa]|небольш\\p{L}*|mał[ya]) (\\p{L}+ ){0,2}(tools?|programs?|utility|cli|command|bot|library|page|site|app|game|server|programm|werkzeug|outil|programme|herramienta|programa|programma|программ\\p{L}*)',
)
export const SMALL_PRODUCT_ASIAN = /脚本|スクリプト|스크립트/u
export const NO_PRODUCT = any(
  'hello[, ]world',
  'one[- ]liner?',
  '(one|single) line',
  'just a readme',
  'an? \\.\\w+( file)?',
  'just an? (empty )?(\\w+ )?(file|licen[cs]e|gitignore)',
  'placeholder (page|repo)',
  'empty (project|skeleton|repo)',
)
