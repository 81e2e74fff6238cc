import Copy from 'lucide-react/icons/copy';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { useCopy } from '../../ui/controls/use-copy';

/** A new key, which can't be shown again. Takes the focus. */
export function CreatedKey({ value }: { readonly value: string }) {
  const { t } = useTranslation('account');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const copy = useCopy(field, { copied: t('pluginKey.new.copied'), failed: t('pluginKey.new.copyFailed') });
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="flex flex-col gap-3 rounded-card bg-accent-soft p-4">
      <label htmlFor={id} className="font-medium">
        {t('pluginKey.new.title')}
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
      <p id={`${id}-once`} className="text-sm text-pretty text-accent-ink">
        {t('pluginKey.new.once')}
      </p>
      <Button kind="primary" className="self-start nojs:hidden" onClick={() => void copy()}>
        <Copy aria-hidden className="size-5" />
        {t('pluginKey.new.copy')}
      </Button>
    </div>
  );
}
