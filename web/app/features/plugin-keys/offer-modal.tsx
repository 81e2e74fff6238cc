import { useTranslation } from 'react-i18next';
import { accountAddress } from '../../session/account-tabs';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalArt, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { LinkedText } from '../../ui/page/linked-text';
import type { ModalBodyProps } from '../modals/catalogue';

export function PluginKeyOffer({ modal }: ModalBodyProps<'plugin-key:offer'>) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  return (
    <>
      <ModalArt name="plugin" />
      <ModalTitle>{t('pluginKey.offer.title')}</ModalTitle>
      <ModalLead>
        <p>
          <LinkedText text={t('pluginKey.offer.body')} links={{ plugin: '/plugin' }} />
        </p>
      </ModalLead>
      <ModalActions>
        {mode === 'page' ? (
          <AppLink to={accountAddress('pluginKey')} className={buttonClass('primary')}>
            {t('pluginKey.offer.retrieve')}
          </AppLink>
        ) : (
          <ModalChoice kind="primary" onChoose={() => void modal.close('retrieve')}>
            {t('pluginKey.offer.retrieve')}
          </ModalChoice>
        )}
        <ModalChoice kind="quiet" onChoose={() => void modal.close('later')}>
          {t('pluginKey.offer.later')}
        </ModalChoice>
      </ModalActions>
    </>
  );
}
