import { useState } from 'react';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { Slider } from '../../ui/controls/slider';
import { Toggle } from '../../ui/controls/toggle';
import { ToggleTooltip } from '../../ui/controls/toggle-tooltip';
import { Specimen } from './specimen';
import type { Texts } from './variants';

const VIDEO = '/samples/tool-faceEnhance.mp4';

const withNumber = (text: string, off: number): string => text.replace('{off}', String(off));

export function ControlSpecimens({ texts }: { readonly texts: Texts }) {
  const [period, setPeriod] = useState('monthly');
  const [action, setAction] = useState('');
  return (
    <>
      <Specimen title={texts.segmented} isWide>
        <div className="flex flex-col gap-4">
          <SegmentedSelector
            label={texts.period}
            options={[
              { key: 'weekly', label: texts.weekly },
              { key: 'monthly', label: texts.monthly, offBadge: 35 },
              { key: 'yearly', label: texts.yearly, offBadge: 50 },
            ]}
            selected={period}
            onSelect={setPeriod}
            action={setAction}
            discountText={(off) => withNumber(texts.save, off)}
          />
          <output className="sr-only">{action}</output>
          <SegmentedSelector
            label={texts.mode}
            options={[
              { key: 'photos', label: texts.photos },
              { key: 'videos', label: texts.videos, offBadge: 16 },
            ]}
            discountText={(off) => withNumber(texts.saveLong, off)}
          />
          <SegmentedSelector
            label={texts.unavailable}
            options={[{ key: 'JPEG' }, { key: 'PNG' }, { key: 'TIFF', isDisabled: true }]}
          />
        </div>
      </Specimen>
      <Specimen title={texts.toggles}>
        <ToggleTooltip mediaUrl={VIDEO} title={texts.faceEnhance} body={texts.faceBody}>
          <Toggle label={texts.faceEnhance} defaultChecked />
        </ToggleTooltip>
        <Toggle label={texts.off} />
        <Toggle label={texts.on} defaultChecked />
        <Toggle label={texts.lockedOff} disabled />
        <Toggle label={texts.lockedOn} disabled defaultChecked />
      </Specimen>
      <Specimen title={texts.sliders}>
        <div className="flex flex-col gap-4">
          <Slider label={texts.strength} min={0} max={100} defaultValue={60} format={(value) => `${value}%`} />
          <Slider label={texts.quality} min={0} max={100} defaultValue={90} format={(value) => `${value}%`} disabled />
        </div>
      </Specimen>
    </>
  );
}
