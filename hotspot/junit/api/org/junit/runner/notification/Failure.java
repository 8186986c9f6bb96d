package org.junit.runner.notification;

public class Failure {}
