import Share2 from 'lucide-react/icons/share-2';
import { useTranslation } from 'react-i18next';
import { ModalLink } from '../../modals/modal-link';

interface ShareButtonProps {
  readonly taskId: string;
  /** Accessible name, for a list of photos; absent: 'Share'. */
  readonly label?: string;
  readonly className: string;
}

/** Opens the public link of a finished photo: an icon, with a text where there is room. */
export function ShareButton({ taskId, label, className }: ShareButtonProps) {
  const { t } = useTranslation('common');
  return (
    <ModalLink modal="share" with={{ taskId }} className={className} {...(label ? { label } : {})}>
      <Share2 aria-hidden className="size-4.5" />
      {!label && <span className="max-lg:sr-only">{t('share')}</span>}
    </ModalLink>
  );
}
