import {
  type CreatedPluginKey,
  type PluginKey,
  type PluginKeyList,
  pluginKeyRoutes,
  type RouteInput,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { PluginKeysService } from './plugin-keys.service.js';

@Controller()
export class PluginKeysController {
  constructor(private readonly keys: PluginKeysService) {}

  @Route(pluginKeyRoutes.createPluginKey)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof pluginKeyRoutes.createPluginKey>,
  ): Promise<CreatedPluginKey> {
    return this.keys.create(caller, body);
  }

  @Route(pluginKeyRoutes.listPluginKeys)
  list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof pluginKeyRoutes.listPluginKeys>,
  ): Promise<PluginKeyList> {
    return this.keys.list(caller, query);
  }

  @Route(pluginKeyRoutes.updatePluginKey)
  update(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof pluginKeyRoutes.updatePluginKey>,
  ): Promise<PluginKey> {
    return this.keys.update(caller, params.keyId, body);
  }

  @Route(pluginKeyRoutes.deletePluginKey)
  delete(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof pluginKeyRoutes.deletePluginKey>,
  ): Promise<void> {
    return this.keys.revoke(caller, params.keyId);
  }

  @Route(pluginKeyRoutes.activatePluginKey)
  activate(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof pluginKeyRoutes.activatePluginKey>,
  ): Promise<PluginKey> {
    return this.keys.activate(caller, body.deviceId);
  }
}
