import Sparkles from 'lucide-react/icons/sparkles';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/controls/button';

/** In local storage: the tutorial has been read. */
const KEY = 'clearframe-new-models-seen';

/** What the new models do, until it has been read. */
export function NewModels() {
  const { t } = useTranslation(['result', 'common']);
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    if (hasBeenRead()) setHidden(true);
  }, []);
  if (isHidden) return null;
  return (
    <section aria-label={t('panel.news.title')} className="flex flex-col gap-3 rounded-2xl bg-quiet px-4 py-3.5">
      <h2 className="flex items-center gap-2 font-medium">
        <Sparkles aria-hidden className="size-5 text-accent-ink" />
        {t('panel.news.title')}
      </h2>
      <ol className="flex list-decimal flex-col gap-1 ps-5 text-[0.9375rem] text-pretty">
        <li>{t('panel.news.face')}</li>
        <li>{t('panel.news.background')}</li>
        <li>{t('panel.news.try')}</li>
      </ol>
      <Button
        kind="quiet"
        size="small"
        className="self-start nojs:hidden"
        onClick={() => {
          rememberRead();
          setHidden(true);
        }}
      >
        {t('common:gotIt')}
      </Button>
    </section>
  );
}

/** Storage can be disabled: then the tutorial is shown again on the next page. */
function hasBeenRead(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function rememberRead(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {}
}
