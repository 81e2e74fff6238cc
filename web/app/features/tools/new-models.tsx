import Sparkles from 'lucide-react/icons/sparkles';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { Button } from '../../ui/controls/button';

interface NewModelsProps {
  readonly action: string;
  /** Ids of the picture and its displayed result. */
  readonly fields: Readonly<Record<string, string>>;
}

export function NewModels({ action, fields }: NewModelsProps) {
  const { t } = useTranslation(['result', 'common']);
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <form
      method="post"
      action={action}
      // A phone held sideways shows the tools first.
      className="flex flex-col gap-3 rounded-2xl bg-quiet px-4 py-3.5 sideways:order-1"
      onSubmit={(event) => {
        event.preventDefault();
        setHidden(true);
        // Otherwise the tutorial is shown again on the next page.
        void send(action, new FormData(event.currentTarget));
      }}
    >
      <section aria-label={t('panel.newModels.title')} className="contents">
        <h2 className="flex items-center gap-2 font-medium">
          <Sparkles aria-hidden className="size-5 text-accent-ink" />
          {t('panel.newModels.title')}
        </h2>
        <ol className="flex list-decimal flex-col gap-1 ps-5 text-[0.9375rem] text-pretty">
          <li>{t('panel.newModels.face')}</li>
          <li>{t('panel.newModels.background')}</li>
          <li>{t('panel.newModels.try')}</li>
        </ol>
        {Object.entries({ ...fields, intent: 'dismissTutorial' }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" kind="quiet" size="small" className="self-start">
          {t('common:gotIt')}
        </Button>
      </section>
    </form>
  );
}
