import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps } from '../modals/catalogue';
import { FORFEIT_PARAMETER } from './forfeit-address';

export function ForfeitModal({ count, checkout, modal }: ModalBodyProps<'billing:forfeit'>) {
  const { t } = useTranslation('tiers');
  return (
    <>
      <ModalTitle>{t('checkout.forfeit.title')}</ModalTitle>
      <ModalLead>
        <p>{t('checkout.forfeit.body', { count })}</p>
      </ModalLead>
      <ModalActions>
        <AppLink to={`${checkout}&${FORFEIT_PARAMETER}=${count}`} className={buttonClass('primary')}>
          {t('checkout.forfeit.agree')}
        </AppLink>
        <ModalChoice kind="quiet" hasInitialFocus onChoose={() => void modal.close('kept')}>
          {t('checkout.forfeit.dismiss')}
        </ModalChoice>
      </ModalActions>
    </>
  );
}
