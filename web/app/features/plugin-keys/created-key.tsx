import { useTranslation } from 'react-i18next';
import { SecretField } from '../../ui/controls/secret-field';

export function CreatedKey({ value }: { readonly value: string }) {
  const { t } = useTranslation('account');
  return (
    <SecretField
      value={value}
      label={t('pluginKey.new.title')}
      hint={t('pluginKey.new.once')}
      copyLabel={t('pluginKey.new.copy')}
      copied={t('pluginKey.new.copied')}
      failed={t('pluginKey.new.copyFailed')}
    />
  );
}
