/** Markdown of a worker, a model or a repository: no raw HTML, no images, and links that are asked about. Loaded lazily by pages. */
import { Square, SquareCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { Button, buttonClass } from './button.tsx'
import { CopyText } from './copy-text.tsx'
import { Dialog } from './dialog.tsx'
import { visibleText } from './visible-text.ts'
import './markdown.css'

export function Markdown({ text }: { readonly text: string }) {
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <div className="markdown wrap-anywhere" dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={{
          a: ({ href, children }) => <AskedLink href={href} onAsk={setAsked} text={children} />,
          input: ({ checked }) => <Box isChecked={checked === true} />,
          img: ({ src, alt }) => (
            <span className="text-muted">
              [image: {visibleText(alt ?? '')} {typeof src === 'string' ? visibleText(src) : ''}]
            </span>
          ),
        }}
      >
        {visibleText(text)}
      </ReactMarkdown>
      <Dialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title="Open this link?"
        description="It was written by a worker, a model or a repository."
      >
        <CopyText text={asked ?? ''} className="self-start border" />
        <div className="flex justify-end gap-2">
          <Button onClick={() => setAsked(null)}>Cancel</Button>
          <a
            href={asked ?? '#'}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('primary')}
            onClick={() => setAsked(null)}
          >
            Open in a new tab
          </a>
        </div>
      </Dialog>
    </div>
  )
}

function AskedLink({
  href,
  text,
  onAsk,
}: {
  readonly href: string | undefined
  readonly text: ReactNode
  readonly onAsk: (href: string) => void
}) {
  if (href === undefined || !/^https?:\/\//.test(href)) return <>{text}</>
  return (
    <button
      type="button"
      title={href}
      onClick={() => onAsk(href)}
      className="text-accent underline underline-offset-2"
    >
      {text}
    </button>
  )
}

/** The box of a list of tasks. It is a sign, not a control: nothing here can be ticked. */
function Box({ isChecked }: { readonly isChecked: boolean }) {
  const Icon = isChecked ? SquareCheck : Square
  return <Icon size={14} role="img" aria-label={isChecked ? 'done' : 'open'} />
}
