import { useTranslation } from 'react-i18next';
import { TEXT_LINK } from '../../ui/page/app-link';
import { fileSize, PartsRow, printSizes, Row } from '../tasks/detail-row';
import { enlargementOf } from './enlargement';
import type { MediaDetails as Details } from './tools-view';

export function MediaDetails({ details }: { readonly details: Details }) {
  const { t, i18n } = useTranslation('result');
  const { fileName, originalType, originalSize, originalBytes, resultType, resultSize, networks } = details;
  const { originalHash, originalAddress } = details;
  const enlargement = enlargementOf(details);
  return (
    <section aria-label={t('details')}>
      <dl className="flex flex-col gap-3 text-sm">
        {fileName && <Row term={t('fileName')}>{fileName}</Row>}
        <PartsRow
          term={t('panel.details.original')}
          parts={[
            originalType,
            originalSize && t('panel.details.pixels', originalSize),
            originalBytes && fileSize(originalBytes, t),
          ]}
        />
        {originalHash && (
          <Row term="SHA-256">
            <code className="text-caption break-all">{originalHash}</code>
          </Row>
        )}
        <PartsRow term={t('panel.details.result')} parts={[resultType, t('panel.details.pixels', resultSize)]} />
        <PartsRow term={t('panel.details.print')} parts={printSizes(resultSize, i18n.language, t)} />
        {enlargement && <Row term={t('size')}>{t('panel.details.enlarged', enlargement)}</Row>}
        <Row term={t('panel.details.networks')}>
          {networks.length > 0 ? networks.join(', ') : t('panel.details.noNetworks')}
        </Row>
      </dl>
      {originalAddress && (
        <a href={originalAddress} download className={`${TEXT_LINK} mt-3 flex min-h-11 items-center text-sm`}>
          {t('panel.details.downloadOriginal')}
        </a>
      )}
    </section>
  );
}
