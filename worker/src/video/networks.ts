import type { ModelReference } from '../inference/protocol.js';
import { modelsFolder, readManifest } from '../networks/manifest.js';
import { Sessions } from '../networks/sessions.js';
import { InferenceConfig } from '../platform/inference.config.js';

export interface Networks {
  readonly sessions: Sessions;
  models(): ModelReference[];
}

export async function openNetworks(): Promise<Networks> {
  const config = InferenceConfig.fromEnvironment(process.env);
  const sessions = new Sessions(await readManifest(config.modelsFolder ?? modelsFolder()), config);
  return {
    sessions,
    models: () =>
      sessions.clock.takeRoles().map((role) => {
        const { id, version, sha256 } = sessions.entryFor(role);
        return { id, version, sha256 };
      }),
  };
}
