import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/content/notice';

interface ReceiptEmailProps {
  /** What was typed before and is no address; null otherwise. */
  readonly invalidEmail: string | null;
}

/** Where a guest wants the receipt and the link back to the picture, if anywhere. */
export function ReceiptEmail({ invalidEmail }: ReceiptEmailProps) {
  const { t } = useTranslation('tiers');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isInvalid = invalidEmail !== null;
  useEffect(() => {
    if (isInvalid) field.current?.focus();
  }, [isInvalid]);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t('checkout.receipt.label')}
      </label>
      {/* Not type=email: the browser's rule and words are others than ours. */}
      <input
        ref={field}
        id={id}
        name="receiptEmail"
        type="text"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        dir="ltr"
        defaultValue={invalidEmail ?? ''}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${id}-error ${id}-hint` : `${id}-hint`}
        className="field"
      />
      {isInvalid && <Notice id={`${id}-error`}>{t('checkout.receipt.invalid')}</Notice>}
      <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
        {t('checkout.receipt.hint')}
      </p>
    </div>
  );
}
