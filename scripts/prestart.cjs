// Runs before every npm script, on whatever Node the system has. So it uses old syntax and no dependency.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const wanted = path.join(root, 'package-lock.json');
const installed = path.join(root, 'node_modules', '.package-lock.json');

process.chdir(root);
if (!isInstalled()) {
  console.log('Installing packages (npm ci) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund'];
  const result = npm
    ? spawnSync(process.execPath, [npm].concat(args), { stdio: 'inherit' })
    : spawnSync('npm', args, { stdio: 'inherit' });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) fail('npm ci failed; what it printed stands above.');
}
const major = Number(process.versions.node.split('.')[0]);
if (major < 24 && !fs.existsSync(path.join(root, 'node_modules', '.bin', 'node'))) {
  fail(
    `Switchyard runs on Node 24 or newer. It brings its own for Linux on x64 and arm64; here it found only ${process.version}.`,
  );
}

function isInstalled() {
  if (!fs.existsSync(installed)) return false;
  if (fs.statSync(installed).mtimeMs >= fs.statSync(wanted).mtimeMs) return true;
  // A newer date alone proves little. A checkout and npm itself touch the file without changing it.
  const lock = JSON.parse(fs.readFileSync(wanted, 'utf8')).packages;
  const present = JSON.parse(fs.readFileSync(installed, 'utf8')).packages;
  return Object.keys(lock).every((name) => {
    if (name === '' || (!present[name] && lock[name].optional)) return true;
    return present[name] && present[name].version === lock[name].version;
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
