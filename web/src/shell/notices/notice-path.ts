/** The place within this page that a link of the daemon names; home where it names none. */
export function pathIn(link: string | null): string {
  const url = link === null ? null : URL.parse(link)
  // Whatever name the daemon has for itself, the page stays where it is.
  return url === null || !/^https?:$/.test(url.protocol)
    ? '/'
    : `/${url.pathname.replace(/^\/+/, '')}${url.search}`
}
