// Tells a player that it is his turn, with a sound and a notification of the browser, if he has
// asked for that in this browser.
"use strict";
const bell = {
  isOn: () => localStorage.getItem("bell") === "on",
  label: () => (bell.isOn() ? "Do not tell me when it is my turn" : "Tell me when it is my turn"),
  attach(button) {
    button.textContent = bell.label();
    button.hidden = false;
    button.addEventListener("click", async () => {
      localStorage.setItem("bell", bell.isOn() ? "off" : "on");
      button.textContent = bell.label();
      if (!bell.isOn()) return;
      bell.beep(); // a browser allows sounds only after a click
      if (window.Notification?.permission === "default") await Notification.requestPermission();
    });
  },
  ring(words) {
    if (!bell.isOn()) return;
    bell.beep();
    try {
      // A phone may have notifications for other kinds of pages only.
      if (window.Notification?.permission === "granted") new Notification(words);
    } catch {}
  },
  beep() {
    const context = new AudioContext(), tone = context.createOscillator();
    tone.frequency.value = 660;
    tone.connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.2);
    tone.onended = () => context.close();
  },
};
