import Copy from 'lucide-react/icons/copy';
import Send from 'lucide-react/icons/send';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { useCopy } from '../../ui/controls/use-copy';

/** A link to copy; on phones also to send with the device's own dialog. */
export function LinkField({ url }: { readonly url: string }) {
  const { t } = useTranslation('result');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [canSend, setCanSend] = useState(false);
  useEffect(() => setCanSend('share' in navigator && window.matchMedia('(pointer: coarse)').matches), []);

  const copy = useCopy(field, { copied: t('share.copied'), failed: t('share.copyFailed') });
  const send = () => {
    navigator.share({ url, title: t('shared.title') }).catch((error: Error) => {
      if (error.name !== 'AbortError') void copy();
    });
  };
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="sr-only">
        {t('share.link')}
      </label>
      <input
        ref={field}
        id={id}
        type="url"
        readOnly
        dir="ltr"
        value={url}
        className="field"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="flex flex-wrap gap-3 nojs:hidden">
        {canSend && (
          <Button kind="primary" className="flex-1" onClick={send}>
            <Send aria-hidden className="size-5 rtl:-scale-x-100" />
            {t('share.send')}
          </Button>
        )}
        <Button kind={canSend ? 'quiet' : 'primary'} className="flex-1" onClick={() => void copy()}>
          <Copy aria-hidden className="size-5" />
          {t('share.copy')}
        </Button>
      </div>
    </div>
  );
}
