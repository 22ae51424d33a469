/** Every key that is bound on this page. */
import { useState } from 'react'
import { Button, Kbd } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { areKeysOn, boundKeys, turnKeys } from './keys.ts'

export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn)
  const toggle = (): void => {
    turnKeys(isOn ? 'off' : 'on')
    setOn(!isOn)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Keys"
      width="md"
      description="Enter opens and never approves."
    >
      <div className="gap-8 sm:columns-2">
        {isOpen &&
          boundKeys().map(({ name, bindings }, at) => (
            <section key={`${name}${at}`} className="mb-4 flex break-inside-avoid flex-col gap-1">
              <h3 className="text-xs font-medium text-muted">{name}</h3>
              <dl className="flex flex-col">
                {bindings.map(({ keys, label }) => (
                  <div key={keys} className="flex min-h-7 items-center justify-between gap-4">
                    <dt className="truncate">{label}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {keys.split(/[ +]/).map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <div className="flex justify-end">
        <Button onClick={toggle}>{isOn ? 'Turn single keys off' : 'Turn single keys on'}</Button>
      </div>
    </Dialog>
  )
}
