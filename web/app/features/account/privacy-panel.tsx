import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import { fetchAccount } from './fetch-account';
import type { PanelProps } from './panel';
import { ConsentSwitch } from './preferences';
import { Group, ROW, RowContents } from './rows';
import { SectionLink } from './section-link';

export function PrivacyPanel({ account, onChange, modal }: PanelProps) {
  const { t } = useTranslation('account');
  const { member, privacy } = account;
  const refresh = () => fetchAccount().then(onChange, () => {});
  return (
    <>
      <SectionLink
        modal={modal}
        to="general"
        className="link-quiet -my-2 flex min-h-11 items-center gap-2 self-start text-sm text-muted"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('general.title')}
      </SectionLink>
      <ModalTitle>{t('privacy.title')}</ModalTitle>
      {!member && (
        <ModalLead>
          <p>{t('privacy.guestLead')}</p>
        </ModalLead>
      )}
      {privacy && (
        <Group title={t('privacy.consents')}>
          <ConsentSwitch change="marketing" isOn={privacy.marketingConsent} onChange={onChange} />
          {privacy.imageTrainingConsent !== null && (
            <ConsentSwitch change="imageTraining" isOn={privacy.imageTrainingConsent} onChange={onChange} />
          )}
          {member && privacy.imageTrainingConsent === false && (
            <ModalLink
              modal="consent:image-training"
              with={{}}
              className="link-quiet flex min-h-11 items-center self-start px-3 text-sm text-muted"
              onClose={(outcome) => void (outcome === 'accepted' && refresh())}
            >
              {t('imageTraining.more')}
            </ModalLink>
          )}
        </Group>
      )}
      <Group title={t('privacy.data')}>
        <AppLink to="/account/export" reloadDocument className={ROW}>
          <RowContents icon={Download}>
            {t('privacy.export.title')}
            <SmallText>{t('privacy.export.body')}</SmallText>
          </RowContents>
        </AppLink>
        <ModalLink modal="account:erase" with={{ erasure: account.erasure }} className={ROW}>
          <RowContents icon={Trash2}>
            {member ? t('privacy.erase.title') : t('privacy.erase.guestTitle')}
            <SmallText>{t('privacy.erase.body')}</SmallText>
          </RowContents>
        </ModalLink>
      </Group>
    </>
  );
}

const SmallText = ({ children }: { readonly children: string }) => (
  <span className="block text-sm font-normal text-pretty text-muted">{children}</span>
);
