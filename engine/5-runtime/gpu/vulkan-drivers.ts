/** Which Vulkan drivers a Linux machine has of its own. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const driverFolders = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];

/** Mesa's lavapipe does not count: Dawn refuses it. */
export function hasVulkanDriver(): boolean {
  const folders = [...driverFolders, join(homedir(), '.local/share/vulkan/icd.d')];
  return folders.some((folder) => {
    if (!existsSync(folder)) return false;
    return readdirSync(folder).some((file) => file.endsWith('.json') && !file.startsWith('lvp_'));
  });
}
