import { useTranslation } from 'react-i18next';
import { SecretField } from '../../ui/controls/secret-field';
import type { SecretView } from './webhooks-view.server';

export function ShownSecret({
  secret: { value, overlapUntil },
  label,
}: {
  readonly secret: SecretView;
  readonly label: string;
}) {
  const { t } = useTranslation('webhooks');
  return (
    <SecretField
      key={value}
      value={value}
      label={label}
      hint={
        <>
          <p>{t('secret.once')}</p>
          {overlapUntil && <p>{t('secret.overlap', { time: overlapUntil.text })}</p>}
        </>
      }
      copyLabel={t('secret.copy')}
      copied={t('secret.copied')}
      failed={t('secret.copyFailed')}
    />
  );
}
