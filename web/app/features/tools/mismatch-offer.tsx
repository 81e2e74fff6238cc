import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { fieldsOf } from './choices';
import type { ToolsView } from './tools-view';

interface MismatchOfferProps {
  readonly offer: NonNullable<ToolsView['offer']>;
  /** Fields that the offer shares with the form: the picture's ids and its location. */
  readonly fields: Readonly<Record<string, string>>;
  readonly action: string;
  readonly onApply: () => void;
}

/** Offers the saved models, or the current versions. */
export function MismatchOffer({ offer, fields, action, onApply }: MismatchOfferProps) {
  const { t } = useTranslation('result');
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <form
      method="post"
      action={action}
      className="flex flex-col gap-3 rounded-2xl bg-quiet px-4 py-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        onApply();
      }}
    >
      {Object.entries({ ...fields, ...fieldsOf(offer.choices) }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p className="text-[0.9375rem] text-pretty">{t(`panel.offer.${offer.kind}`)}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" size="small">
          {t(offer.kind === 'saved' ? 'panel.offer.applySaved' : 'panel.offer.applyNewer')}
        </Button>
        <Button kind="ghost" size="small" className="nojs:hidden" onClick={() => setDismissed(true)}>
          {t('panel.offer.keep')}
        </Button>
      </div>
    </form>
  );
}
