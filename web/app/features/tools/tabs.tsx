import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Toggle } from '../../ui/controls/toggle';
import type { PictureDetail } from '../../ui/picture/detail';
import { useStage } from '../../ui/stage/stage-context';
import type { PendingChange } from './apply-queue';
import { type Choices, type ToolChoice, withTool } from './choices';
import type { Enlargement } from './enlargement';
import { FilterTool } from './filter-tool';
import { Enlarge, KeepLocation } from './output-options';
import { SwitchTool } from './switch-tool';
import { ToolTooltip } from './tool-tooltip';
import type { ToolView } from './tools-view';
import type { LooksView } from './use-looks';

interface SectionTabProps {
  readonly tools: readonly ToolView[];
  readonly choices: Choices;
  readonly looks: LooksView;
  /** The first face, which retouching changes. */
  readonly face: PictureDetail | null;
  /** A small file of the result. */
  readonly plainUrl: string | null;
  readonly onChange: (choices: Choices) => void;
}

export function SectionTab({ tools, choices, looks, face, plainUrl, onChange }: SectionTabProps) {
  return tools.map((tool) => {
    const props = {
      choice: choices.tools[tool.tool],
      onChange: (change: Partial<ToolChoice>) => onChange(withTool(choices, tool.tool, change)),
    };
    if (tool.control === 'switch') return <SwitchTool key={tool.tool} tool={tool} {...props} />;
    const detail = tool.tool === 'faceLifting' ? face : null;
    return <FilterTool key={tool.tool} tool={tool} {...props} {...{ looks, detail, plainUrl }} />;
  });
}

interface MoreTabProps extends PendingChange {
  readonly enlargements: readonly Enlargement[];
  readonly changesUrl: string | null;
  readonly onChange: (change: Partial<PendingChange>) => void;
}

export function MoreTab({ choices, enlargements, keepLocation, changesUrl, onChange }: MoreTabProps) {
  return (
    <div className="flex flex-col gap-3">
      <Enlarge
        factor={choices.upscale}
        enlargements={enlargements}
        onChange={(upscale) => onChange({ choices: { ...choices, upscale } })}
      />
      <KeepLocation isOn={keepLocation} onChange={(isOn) => onChange({ keepLocation: isOn })} />
      {changesUrl && <ChangeMap key={changesUrl} url={changesUrl} />}
    </div>
  );
}

function ChangeMap({ url }: { readonly url: string }) {
  const { t } = useTranslation('result');
  const { setOverlay } = useStage();
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    setOverlay(isOn ? url : null);
    return () => setOverlay(null);
  }, [isOn, url, setOverlay]);
  return (
    <div className="nojs:hidden">
      <ToolTooltip of="changes" title={t('panel.changes')}>
        <Toggle
          label={<span className="font-medium">{t('panel.changes')}</span>}
          checked={isOn}
          onChange={(event) => setOn(event.target.checked)}
        />
      </ToolTooltip>
    </div>
  );
}
