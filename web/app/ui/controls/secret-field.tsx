import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import { useCopy } from './use-copy';

interface SecretFieldProps {
  readonly value: string;
  readonly label: string;
  readonly hint: ReactNode;
  readonly copyLabel: string;
  /** Messages of the copy button. */
  readonly copied: string;
  readonly failed: string;
}

/** A new secret, which can't be shown again. Takes the focus. */
export function SecretField({ value, label, hint, copyLabel, copied, failed }: SecretFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const copy = useCopy(field, { copied, failed });
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="flex flex-col gap-3 rounded-card bg-accent-soft p-4">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        ref={field}
        id={id}
        readOnly
        dir="ltr"
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${id}-once`}
        className="field font-mono text-sm"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div id={`${id}-once`} className="text-sm text-pretty text-accent-ink">
        {hint}
      </div>
      <Button kind="primary" className="self-start nojs:hidden" onClick={() => void copy()}>
        <Copy aria-hidden className="size-5" />
        {copyLabel}
      </Button>
    </div>
  );
}
